"use client";

import Link from "next/link";
import { useId, useState } from "react";
import type { FormEvent } from "react";
import { commandWays, isLoopbackServer, plainServer } from "#lib/charts/collector-commands.ts";
import type { CommandWay } from "#lib/charts/collector-commands.ts";
import { formatKib } from "#lib/charts/format.ts";
import { issuedToken, tokenList } from "#lib/contracts/token.ts";
import type { IssuedToken, Token } from "#lib/contracts/token.ts";
import { ApiProblem, getJson, send, sendForAnswer } from "../node/api-client.ts";
import { Button, Segments } from "../ui/button.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { CopiedCommand } from "../ui/copied-command.tsx";
import { FIELD_CLASS, Field } from "../ui/field.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { FirstSnapshots } from "./first-snapshots.tsx";
import { TokenTable } from "./token-table.tsx";

interface File {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

function problemText(error: unknown): string {
  if (error instanceof ApiProblem)
    return [error.message, ...error.fields.values(), error.requestId ? `request ${error.requestId}` : ""]
      .filter(Boolean)
      .join(" ");
  throw error;
}

/** How nodes begin to report: a token made here, commands that hold it, the first snapshot as it comes, and the tokens there are. */
export function AddNodesView({
  server: reachedAt,
  files,
  tokens: tokensAtFirst,
  clusters,
  knownNodeIds,
}: {
  readonly server: string;
  readonly files: readonly File[];
  readonly tokens: readonly Token[];
  readonly clusters: readonly string[];
  readonly knownNodeIds: readonly number[];
}) {
  const id = useId();
  const [tokens, setTokens] = useState(tokensAtFirst);
  const [issued, setIssued] = useState<IssuedToken>();
  const [cluster, setCluster] = useState("default");
  const [name, setName] = useState("collectors");
  const [serverText, setServerText] = useState(reachedAt);
  const [chosen, setChosen] = useState<CommandWay["key"]>("sh");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const [readAtMs, setReadAtMs] = useState(() =>
    tokensAtFirst.reduce((newest, each) => Math.max(newest, each.createdAt, each.lastUsedAt ?? 0), 0),
  );

  const readTokens = async () => {
    const list = await getJson("/api/v1/tokens", tokenList, new AbortController().signal);
    setReadAtMs(Date.now());
    setTokens(list.tokens);
  };
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setFault("");
    try {
      await act();
      await readTokens();
    } catch (error) {
      setFault(problemText(error));
    } finally {
      setBusy(false);
    }
  };
  const issue = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const body = { name, cluster, scopes: ["snapshots:write"] };
      setIssued(await sendForAnswer("POST", "/api/v1/tokens", body, issuedToken));
    });
  };
  const revoke = (token: Token) =>
    attempt(async () => {
      await send("DELETE", `/api/v1/tokens/${token.tokenId}`);
      if (token.tokenId === issued?.tokenId) setIssued(undefined);
    });

  const server = plainServer(serverText);
  const digest = (path: string) => files.find((each) => each.path === path)?.sha256;
  const [sh, js] = [digest("/collector.sh"), digest("/collector.js")];
  const ways =
    server !== undefined && sh !== undefined && js !== undefined
      ? commandWays({ server, token: issued?.secret, sha256: { sh, js } })
      : [];
  const way = ways.find((each) => each.key === chosen);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <h1 className="text-xl font-semibold">Add nodes</h1>
        <p className="max-w-[110ch] text-ink-2">
          A node needs a collector and a token. The collector only reads; a token may send snapshots of one
          cluster and nothing else. The first snapshot comes within 30 s of the start and is announced here.
        </p>
        <FirstSnapshots knownNodeIds={knownNodeIds} />
      </div>

      <Section id="h-token" title="1. A token" note="shown once; stored as a hash">
        <form onSubmit={issue} className="flex flex-wrap items-end gap-x-3 gap-y-2 py-1.5 text-sm">
          <Field
            label="cluster of the nodes"
            list={`${id}-clusters`}
            maxLength={100}
            value={cluster}
            onText={setCluster}
            className="w-64"
          />
          <datalist id={`${id}-clusters`}>
            {clusters.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <Field label="name of the token" maxLength={100} value={name} onText={setName} className="w-64" />
          <Button type="submit" tone="primary" disabled={busy}>
            {issued ? "Make another token" : "Make a token"}
          </Button>
        </form>
        {fault ? (
          <p role="alert" className="text-sm text-leaking-ink">
            {fault}
          </p>
        ) : null}
        {issued ? (
          <div className="grid gap-1 py-1.5 text-sm" role="status">
            <p>
              Token <b>{issued.name}</b> for cluster <b>{issued.cluster}</b>. It is in the commands below and
              cannot be shown again.
            </p>
            <CopiedCommand command={issued.secret} label="token" />
          </div>
        ) : null}
      </Section>

      <div className="mt-6">
        <Section id="h-commands" title="2. The commands">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1 py-1.5 text-sm">
            <label htmlFor={`${id}-server`} className="text-ink-2">
              address of this server, as the nodes reach it
            </label>
            <input
              id={`${id}-server`}
              value={serverText}
              onChange={(event) => setServerText(event.target.value)}
              aria-invalid={server === undefined}
              aria-describedby={`${id}-reach`}
              className={`${FIELD_CLASS} w-96 max-w-full`}
            />
            <p id={`${id}-reach`} className="max-w-[110ch] text-growing-ink">
              {server === undefined
                ? "Expected an address such as https://plumbline.example:4400."
                : isLoopbackServer(server)
                  ? "This address leads each machine to itself: it adds the machine that Plumbline runs on. For others start Plumbline with PLUMBLINE_HOST=0.0.0.0, or put a proxy in front, and write that address here."
                  : ""}
            </p>
          </div>
          {files.length === 0 ? (
            <StatePanel title="This server hands out no collector" heading="h3">
              <p>
                It was not started from a build. Start it with <code>npm run up</code>.
              </p>
            </StatePanel>
          ) : way ? (
            <>
              <div className="max-w-full overflow-x-auto py-1.5" tabIndex={0} role="group" aria-label="Ways">
                <Segments
                  label="Way"
                  options={ways.map(({ key, title }) => ({ value: key, label: title }))}
                  value={chosen}
                  onChoose={setChosen}
                />
              </div>
              <p className="max-w-[110ch] text-sm text-ink-2">{way.note}</p>
              <ol className="grid grid-cols-[minmax(0,1fr)] gap-3 py-2">
                {way.steps.map((step) => (
                  <li key={step.text} className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
                    <p>{step.text}</p>
                    <CopiedCommand command={step.command} label={step.text} />
                  </li>
                ))}
              </ol>
              {way.key === "prometheus" ? (
                <p className="max-w-[110ch] py-1 text-sm">
                  That is for what comes from now on. What this Prometheus holds already:{" "}
                  <Link href="/import" className="underline">
                    import its history
                  </Link>
                  .
                </p>
              ) : null}
            </>
          ) : null}
        </Section>
      </div>

      {files.length > 0 ? (
        <div className="mt-6">
          <Section id="h-files" title="What this server hands out" note="to everybody, without a token">
            <ScrollTable label="Files" heads={["file", numericHead("size"), "SHA-256"]}>
              {files.map(({ path, sha256, bytes }) => (
                <tr key={path}>
                  <th scope="row">
                    <a href={path} download>
                      {path}
                    </a>
                  </th>
                  <td className="num">{formatKib(bytes / 1024)}</td>
                  <td>
                    <code className="text-[11.5px]">{sha256}</code>
                  </td>
                </tr>
              ))}
            </ScrollTable>
          </Section>
        </div>
      ) : null}

      <div className="mt-6">
        <Section id="h-tokens" title="Tokens" note="times in UTC; revoking ends a token at once">
          <TokenTable tokens={tokens} nowMs={readAtMs} onRevoke={revoke} />
        </Section>
      </div>
    </>
  );
}
