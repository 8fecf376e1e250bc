import { expect, it } from "vitest";
import { attachment } from "./attachment.ts";

it("names a file in UTF-8, and in ASCII for old readers", () => {
  expect(attachment("Knoten \u00fcber 100 %", "md")).toBe(
    `attachment; filename="Knoten _ber 100 _.md"; filename*=UTF-8''Knoten%20%C3%BCber%20100%20%25.md`,
  );
});

it.each([
  ["../../etc/passwd", "etc passwd.html"],
  ['a"; filename="evil.exe', "a filename= evil.exe.html"],
  ["line\r\nSet-Cookie: x=1", "line Set-Cookie x=1.html"],
  ["invoice\u202egpj.html", "invoice gpj.html.html"],
  ["$(reboot) `id`", "(reboot) id.html"],
  [" .hidden. ", "hidden.html"],
  ["\u0000/\\", "export.html"],
  ["x".repeat(500), `${"x".repeat(60)}.html`],
])("leaves out of %j what a file system or a header would mind", (title, name) => {
  expect(attachment(title, "html").split(";")[1]).toBe(` filename="${name}"`);
});

it("cuts no character in half, and takes none that is half already", () => {
  const encoded = attachment(`${"\u{1f600}".repeat(100)}\ud800`, "md").split("''")[1] ?? "";
  expect(decodeURIComponent(encoded)).toBe(`${"\u{1f600}".repeat(60)}.md`);
});
