import { describeAttribute, type NodeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { AppError } from "#lib/errors.ts";

/** @throws AppError `invalid` for a key that no attribute can have. */
export function requireAttribute(key: string): NodeAttribute {
  const attribute = describeAttribute(key);
  if (attribute !== undefined) return attribute;
  throw wrongAttribute(
    "expected cluster, kernelRelease, cgroupMode, version.<program>, label.<key> or module.<name>",
  );
}

/** What an attribute that cannot be used is refused with. */
export function wrongAttribute(message: string): AppError {
  return new AppError("invalid", `The query is wrong at attribute: ${message}.`, {
    issues: [{ path: "attribute", message }],
  });
}
