import { personKind, annotationKind, type CreateAnnotation } from "#lib/contracts/annotation.ts";
import type { GrafanaAnnotationBody, GrafanaAnnotations } from "#lib/contracts/grafana.ts";
import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";
import { AppError } from "#lib/errors.ts";
import { listAnnotations, type TagWish } from "#lib/server/data/annotations.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { createAnnotation } from "./create-annotation.ts";
import { isConfined, listVisibleNodes } from "./resolve-scope.ts";

const TITLE_CHARS = 200;
const NAMED_NODES = 20;

/**
 * Makes a mark of what a client of Grafana sends.
 * @throws AppError `unprocessable` for a node or cluster that does not exist, or an end before the start.
 */
export async function createGrafanaAnnotation({
  ctx,
  input,
}: {
  ctx: Context;
  input: GrafanaAnnotationBody;
}): Promise<number> {
  const mark = markOfGrafana(input, await listVisibleNodes(ctx), ctx.now());
  return (await createAnnotation({ ctx, input: mark })).annotationId;
}

/**
 * The mark that a body of Grafana's means. Several `node:` tags name several nodes, in every cluster that has them unless a
 * `cluster:` tag says which; without either it is about all nodes that the caller may see. Pure.
 * @throws AppError `unprocessable`.
 */
export function markOfGrafana(
  { time, timeEnd, text, tags }: GrafanaAnnotationBody,
  visible: readonly NodeName[],
  nowMs: number,
): CreateAnnotation {
  const written = [...new Set((tags ?? []).map((tag) => tag.trim()).filter(Boolean))];
  const names = written.flatMap((tag) => afterPrefix(tag, "node:"));
  const clusters = written.flatMap((tag) => afterPrefix(tag, "cluster:"));
  const kind = personKind.options.find((each) => written.some((tag) => tag.toLowerCase() === each)) ?? "note";
  const at = time === undefined || time === 0 ? nowMs : time;
  const [first = "", ...rest] = text.trim().split("\n");
  const title = [...first.trim()].slice(0, TITLE_CHARS).join("").trim();
  // What the title holds is not said a second time; a first line that was cut stays whole in the text.
  const body = title === first.trim() ? rest.join("\n").trim() : text.trim();
  const plain = written.filter(
    (tag) => !tag.startsWith("node:") && !tag.startsWith("cluster:") && tag.toLowerCase() !== kind,
  );
  const long = plain.find((tag) => tag.length > 64);
  if (long !== undefined || plain.length > 20) {
    const message =
      long === undefined ? "expected at most 20 tags" : "expected tags of at most 64 characters";
    throw new AppError("unprocessable", `The body is wrong at tags: ${message}.`, {
      issues: [{ path: "tags", message }],
    });
  }
  return {
    at,
    ...(timeEnd !== undefined && timeEnd !== 0 && timeEnd !== at && { endsAt: timeEnd }),
    scope: scopeOf(names, clusters, visible),
    controls: "auto",
    kind,
    title: title === "" ? "annotation" : title,
    ...(body !== "" && { text: body }),
    tags: plain,
  };
}

function afterPrefix(tag: string, prefix: string): string[] {
  return tag.startsWith(prefix) ? [tag.slice(prefix.length)] : [];
}

function scopeOf(
  names: readonly string[],
  clusters: readonly string[],
  visible: readonly NodeName[],
): CreateAnnotation["scope"] {
  const within = visible.filter(({ cluster }) => clusters.length === 0 || clusters.includes(cluster));
  const refuse = (message: string) => {
    throw new AppError("unprocessable", `The body is wrong at tags: ${message}.`, {
      issues: [{ path: "tags", message }],
    });
  };
  const noCluster = clusters.find((each) => !visible.some(({ cluster }) => cluster === each));
  if (noCluster !== undefined) refuse(`there is no cluster ${noCluster.slice(0, 100)}`);
  const noNode = names.find((each) => !within.some(({ name }) => name === each));
  if (noNode !== undefined) refuse(`there is no node ${noNode.slice(0, 100)}`);
  if (names.length > 0) {
    return {
      nodes: within
        .filter(({ name }) => names.includes(name))
        .map(({ cluster, name }) => ({ cluster, name })),
    };
  }
  const [only, ...more] = clusters;
  if (only === undefined) return {};
  return more.length === 0
    ? { cluster: only }
    : { nodes: within.map(({ cluster, name }) => ({ cluster, name })) };
}

/** Marks as Grafana reads annotations, newest first; of those the actor may see. */
export async function listGrafanaAnnotations({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    fromMs: number | undefined;
    toMs: number | undefined;
    tags: readonly string[];
    matchAny: boolean;
    limit: number;
  };
}): Promise<GrafanaAnnotations> {
  const visible = await listVisibleNodes(ctx);
  const wishes = input.tags.map((tag) => wishOf(tag, visible));
  const rows = await listAnnotations(ctx.db.prisma, {
    fromMs: input.fromMs ?? 0,
    toMs: input.toMs ?? LAST_MOMENT_MS,
    nodeIds: isConfined(ctx) ? visible.map(({ nodeId }) => nodeId) : undefined,
    tags: { wishes, matchAny: input.matchAny },
    limit: input.limit === 0 ? 100 : input.limit,
  });
  const byId = new Map(visible.map((node) => [node.nodeId, node]));
  return rows.reverse().map((row) => {
    const nodes = row.nodeIds.flatMap((nodeId) => byId.get(nodeId) ?? []);
    const clusters = [...new Set(nodes.map(({ cluster }) => `cluster:${cluster}`))];
    return {
      id: row.annotationId,
      alertId: 0,
      alertName: "",
      dashboardId: 0,
      dashboardUID: "",
      panelId: 0,
      userId: 0,
      newState: "",
      prevState: "",
      created: row.createdAtMs,
      updated: row.updatedAtMs,
      time: row.atMs,
      timeEnd: row.endsAtMs ?? row.atMs,
      text: textOf(row.title, row.text),
      tags: [
        ...row.tags,
        row.kind,
        ...clusters,
        ...(nodes.length <= NAMED_NODES ? nodes.map(({ name }) => `node:${name}`) : []),
      ],
      login: row.author,
      email: "",
      avatarUrl: "",
      data: {},
    };
  });
}

/** A text whose first line was cut for the title holds it already. */
function textOf(title: string, text: string | null): string {
  if (text === null) return title;
  return [...title].length === TITLE_CHARS && text.startsWith(title) ? text : `${title}\n${text}`;
}

function wishOf(tag: string, visible: readonly NodeName[]): TagWish {
  const ids = (fits: (node: NodeName) => boolean) => visible.filter(fits).map(({ nodeId }) => nodeId);
  const [name] = afterPrefix(tag, "node:");
  if (name !== undefined) return { tag, nodeIds: ids((node) => node.name === name) };
  const [cluster] = afterPrefix(tag, "cluster:");
  if (cluster !== undefined) return { tag, nodeIds: ids((node) => node.cluster === cluster) };
  return { tag, kind: annotationKind.options.find((each) => each === tag) };
}
