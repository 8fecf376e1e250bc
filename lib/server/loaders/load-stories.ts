import "server-only";
import { stories, type Story } from "#lib/charts/story-model.ts";
import { SIMULATED_LABEL } from "#lib/domain/scenarios/simulated-label.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { pageContext } from "./page-context.ts";

/** The stories that the simulated nodes of this server tell; none where it has no such nodes. */
export async function loadStories(): Promise<readonly Story[]> {
  const { ctx } = await pageContext();
  const told = (await listVisibleNodes(ctx)).flatMap(({ nodeId, cluster, name, labels }) => {
    const anchorMs = Date.parse(labels[SIMULATED_LABEL] ?? "");
    return Number.isNaN(anchorMs) ? [] : [{ nodeId, cluster, name, anchorMs }];
  });
  const [first] = told;
  if (first === undefined) return [];
  const ids = new Map(told.map(({ nodeId, cluster, name }) => [`${cluster}/${name}`, nodeId]));
  return stories(first.anchorMs, (cluster, name) => ids.get(`${cluster}/${name}`));
}
