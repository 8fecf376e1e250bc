/**
 * Loaded before each child of the supervisor (`node --import`): a child whose supervisor was killed is told to stop as
 * if by its supervisor, and ended after the longest that an orderly stop takes. The channel does not keep the child
 * alive by itself.
 */
const stopWithinMs = 20_000;

if (process.channel !== undefined) {
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), stopWithinMs).unref();
  });
  process.channel.unref();
}
