import type { SharePicture as Picture } from "#lib/charts/share-picture.ts";

export const PICTURE_PX = { width: 1200, height: 630 } as const;
const CHART_PX = { width: 1072, height: 190 } as const;

/** The picture of a link for chats, in the few styles that the server's drawing knows. */
export function SharePicture({ picture }: { readonly picture: Picture }) {
  const { title, status, facts, summary, line, caption } = picture;
  const across = (x: number) => (x * CHART_PX.width).toFixed(1);
  const path = line
    .map(([x, y], at) => `${at === 0 ? "M" : "L"}${across(x)} ${(4 + y * (CHART_PX.height - 8)).toFixed(1)}`)
    .join("");
  const [left, right] = [line[0]?.[0] ?? 0, line.at(-1)?.[0] ?? 1];
  return (
    <div
      style={{
        width: "100%",
        height: "100%",
        display: "flex",
        flexDirection: "column",
        padding: "48px 64px",
        background: "#ffffff",
        color: "#17202a",
        fontSize: 28,
      }}
    >
      <div style={{ display: "flex", color: "#5b6673", fontSize: 26 }}>{`Plumbline, ${status}`}</div>
      <div style={{ display: "flex", fontSize: 50, lineHeight: 1.15, marginTop: 14 }}>{title}</div>
      <div style={{ display: "flex", color: "#5b6673", fontSize: 24, marginTop: 14 }}>{facts}</div>
      <div style={{ display: "flex", lineHeight: 1.35, marginTop: 18, flexGrow: 1 }}>{summary}</div>
      <div style={{ display: "flex", color: "#5b6673", fontSize: 22, marginBottom: 6 }}>{caption}</div>
      {path === "" ? null : (
        <svg width={CHART_PX.width} height={CHART_PX.height}>
          <path
            d={`${path}L${across(right)} ${CHART_PX.height}L${across(left)} ${CHART_PX.height}Z`}
            fill="#f3d9cd"
          />
          <path d={path} fill="none" stroke="#b0431d" strokeWidth={4} />
        </svg>
      )}
    </div>
  );
}
