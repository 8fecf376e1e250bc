/**
 * Loaded before each child of the supervisor (`node --import`): a child whose supervisor was killed is told to stop as
 * if by its supervisor. The channel does not keep the child alive by itself.
 */
if (process.channel !== undefined) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
