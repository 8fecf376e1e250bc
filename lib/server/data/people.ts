import { randomBytes } from "node:crypto";
import { role, type Role } from "#lib/contracts/role.ts";
import type { Tables } from "./records.ts";

/** A stored person; times in epoch milliseconds. */
export interface PersonRow {
  personId: string;
  name: string;
  email: string;
  role: Role;
  createdAtMs: number;
  disabledAtMs: number | null;
}

/** A session, without what opens it. */
export interface SessionRow {
  sessionId: string;
  startedAtMs: number;
  expiresAtMs: number;
  address: string | null;
  userAgent: string | null;
}

const MAX_PEOPLE = 1000;
const MAX_SESSIONS = 100;

const select = { id: true, name: true, email: true, role: true, createdAt: true, disabledAt: true } as const;

interface Selected {
  id: string;
  name: string;
  email: string;
  role: string;
  createdAt: Date;
  disabledAt: Date | null;
}

const newId = (): string => randomBytes(16).toString("hex");

function toPerson(row: Selected): PersonRow {
  return {
    personId: row.id,
    name: row.name,
    email: row.email,
    role: role.parse(row.role),
    createdAtMs: row.createdAt.getTime(),
    disabledAtMs: row.disabledAt?.getTime() ?? null,
  };
}

/** Oldest account first, each with when the newest of their sessions began that has not ended at `nowMs`. */
export async function listPeople(
  tables: Pick<Tables, "person">,
  nowMs: number,
): Promise<(PersonRow & { signedInAtMs: number | null })[]> {
  const rows = await tables.person.findMany({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_PEOPLE,
    select: {
      ...select,
      sessions: {
        where: { expiresAt: { gt: new Date(nowMs) } },
        orderBy: { createdAt: "desc" },
        take: 1,
        select: { createdAt: true },
      },
    },
  });
  return rows.map((row) => ({
    ...toPerson(row),
    signedInAtMs: row.sessions[0]?.createdAt.getTime() ?? null,
  }));
}

/** One person by id or address; undefined when there is none. */
export async function findPerson(
  tables: Pick<Tables, "person">,
  where: { personId: string } | { email: string },
): Promise<PersonRow | undefined> {
  const row = await tables.person.findUnique({
    where: "personId" in where ? { id: where.personId } : { email: where.email },
    select,
  });
  return row === null ? undefined : toPerson(row);
}

/** How many administrators may sign in. */
export async function countAdministrators(tables: Pick<Tables, "person">): Promise<number> {
  return tables.person.count({ where: { role: "administrator", disabledAt: null } });
}

/** Until the transaction ends nobody else changes administrators: two of them cannot take each other away at once. */
export async function lockAdministrators(tables: Pick<Tables, "person">): Promise<void> {
  // Written as it is: a statement that locks without SQL of its own.
  await tables.person.updateMany({ where: { role: "administrator" }, data: { role: "administrator" } });
}

/** Stores a person with the hash of their password. @throws Prisma's P2002 when name or address is taken. */
export async function insertPerson(
  tables: Pick<Tables, "person" | "credential">,
  given: { name: string; email: string; role: Role; passwordHash: string; atMs: number },
): Promise<PersonRow> {
  const at = new Date(given.atMs);
  const id = newId();
  const { name, email } = given;
  const row = await tables.person.create({
    data: { id, name, email, role: given.role, createdAt: at, updatedAt: at },
    select,
  });
  await tables.credential.create({
    data: {
      id: newId(),
      personId: id,
      providerId: "credential",
      accountId: id,
      password: given.passwordHash,
      createdAt: at,
      updatedAt: at,
    },
  });
  return toPerson(row);
}

/** Changes role or standing; false when there is no such person. */
export async function updatePerson(
  tables: Pick<Tables, "person">,
  personId: string,
  { atMs, role, disabled }: { atMs: number; role?: Role | undefined; disabled?: boolean | undefined },
): Promise<boolean> {
  const at = new Date(atMs);
  const { count } = await tables.person.updateMany({
    where: { id: personId },
    data: {
      updatedAt: at,
      ...(role !== undefined && { role }),
      ...(disabled !== undefined && { disabledAt: disabled ? at : null }),
    },
  });
  return count > 0;
}

/** Gives a person another password. */
export async function updatePassword(
  tables: Pick<Tables, "credential">,
  personId: string,
  { passwordHash, atMs }: { passwordHash: string; atMs: number },
): Promise<void> {
  await tables.credential.updateMany({
    where: { personId, providerId: "credential" },
    data: { password: passwordHash, updatedAt: new Date(atMs) },
  });
}

/** The sessions of a person that have not ended at `nowMs`, newest first. */
export async function listSessions(
  tables: Pick<Tables, "session">,
  personId: string,
  nowMs: number,
): Promise<SessionRow[]> {
  const rows = await tables.session.findMany({
    where: { personId, expiresAt: { gt: new Date(nowMs) } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: MAX_SESSIONS,
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true },
  });
  return rows.map((row) => ({
    sessionId: row.id,
    startedAtMs: row.createdAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    address: row.ipAddress === "" ? null : row.ipAddress,
    userAgent: row.userAgent === "" ? null : row.userAgent,
  }));
}

/** Ends sessions of a person: one, or all. @returns how many there were. */
export async function endSessions(
  tables: Pick<Tables, "session">,
  personId: string,
  sessionId?: string,
): Promise<number> {
  const { count } = await tables.session.deleteMany({
    where: { personId, ...(sessionId !== undefined && { id: sessionId }) },
  });
  return count;
}

/** Deletes the sessions that have expired at `nowMs`, whoever's they were. @returns how many there were. */
export async function deleteEndedSessions(tables: Pick<Tables, "session">, nowMs: number): Promise<number> {
  const { count } = await tables.session.deleteMany({ where: { expiresAt: { lte: new Date(nowMs) } } });
  return count;
}
