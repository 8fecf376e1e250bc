import type { Metadata } from "next";
import { loadApiPage } from "#lib/server/loaders/load-api-page.ts";

export const metadata: Metadata = { title: "API" };

type ApiPage = ReturnType<typeof loadApiPage>;
type Endpoint = ApiPage["endpoints"][number];

export default function ApiDocsPage() {
  const { endpoints, problems } = loadApiPage();
  return (
    <main id="main" className="mx-auto max-w-[1100px] px-(--page) py-6 text-ink">
      <h1 className="text-[20px]/[28px] font-semibold">API</h1>
      <p className="mt-2 max-w-[70ch]">
        Everything below is made from the schemas that validate. The same as a document for programs:{" "}
        <a className="text-accent-ink underline" href="/api/v1/openapi.json">
          /api/v1/openapi.json
        </a>
        . Times in answers are epoch milliseconds; requests also take ISO 8601, and windows take now-6h, now/d
        and the like. Memory is in KiB. A token is sent as{" "}
        <code className="font-mono">Authorization: Bearer pl_…</code>; this one makes a mark:
      </p>
      <pre className="mt-3 overflow-x-auto bg-surface-2 p-3 font-mono text-[12px]" tabIndex={0}>
        {`curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"at": "2026-03-01T04:15:00Z", "kind": "intervention", "title": "pull-monitor stopped"}' \\
  http://localhost:4400/api/v1/annotations`}
      </pre>
      <nav aria-label="Endpoints" className="mt-6">
        <ul>
          {endpoints.map(({ id, method, path, summary }) => (
            <li key={id} className="border-t border-line py-1">
              <a className="font-mono text-[12px] text-accent-ink underline" href={`#${id}`}>
                {method} {path}
              </a>{" "}
              <span className="text-ink-2">{summary}</span>
            </li>
          ))}
        </ul>
      </nav>
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.id} endpoint={endpoint} />
      ))}
      <h2 className="mt-10 text-[15px] font-semibold">Problems</h2>
      <p className="mt-1 text-ink-2">
        Every error is application/problem+json with type, title, status, detail, code and requestId; errors
        names the fields.
      </p>
      <dl className="mt-2">
        {problems.map(({ id, code, status, title, meaning }) => (
          <div key={id} id={id} className="border-t border-line py-1">
            <dt className="font-mono text-[12px]">
              {status} {code}
            </dt>
            <dd className="text-ink-2">
              {title}. {meaning}
            </dd>
          </div>
        ))}
      </dl>
    </main>
  );
}

function EndpointSection({ endpoint }: { endpoint: Endpoint }) {
  const { id, method, path, summary, description, access } = endpoint;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-10">
      <h2 id={`${id}-title`} className="font-mono text-[15px] font-semibold">
        {method} {path}
      </h2>
      <p className="mt-1">
        {summary}. {description}
      </p>
      <p className="text-ink-2">For {access}.</p>
      <FieldTable title="Parameters" of={`${method} ${path}`} lines={endpoint.parameters} />
      <FieldTable title="Body" of={`${method} ${path}`} lines={endpoint.body} />
      <FieldTable title="Answer" of={`${method} ${path}`} lines={endpoint.answer} />
    </section>
  );
}

function FieldTable({ title, of, lines }: { title: string; of: string; lines: Endpoint["answer"] }) {
  if (lines.length === 0) return null;
  return (
    <div className="mt-3 overflow-x-auto" role="region" aria-label={`${title} of ${of}`} tabIndex={0}>
      <table className="w-full text-left text-[12px]">
        <caption className="text-left font-semibold">{title}</caption>
        <thead className="text-[11px] text-ink-2">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, depth, type, required, description }, index) => (
            <tr key={`${index} ${name}`} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-4 font-mono font-normal" style={{ paddingLeft: depth * 16 }}>
                {name}
                {required ? "" : "?"}
              </th>
              <td className="py-1 pr-4 font-mono text-ink-2">{type}</td>
              <td className="py-1">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
