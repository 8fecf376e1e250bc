import { BANDS } from "#lib/domain/memory/bands.ts";

export default function FleetPage() {
  return <main>{BANDS.length}</main>;
}
