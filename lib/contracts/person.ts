import { z } from "zod";
import { epochMs, shortText } from "./common.ts";
import { givenPassword } from "./password.ts";
import { role } from "./role.ts";

/** As it stands in an address. */
export const personId = z.string().regex(/^[A-Za-z0-9]{16,64}$/);

/** What actors that are no people are called: a person's name must tell the audit trail that it is one. */
const TAKEN = /^(?:token\b.*|local|anonymous|system|supervisor|demo|command line|plumbline)$/i;

/** How a person is called beside what they write. */
export const personName = shortText(80).refine((name) => !TAKEN.test(name), "expected a name of a person");

/** In lower case: addresses that differ in case alone are one person's. */
export const emailAddress = z
  .string()
  .max(200)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email());

export const person = z.strictObject({
  personId: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  createdAt: epochMs,
  disabledAt: epochMs.nullable(),
  /** When the newest of their sessions began; null when they are signed in nowhere. */
  signedInAt: epochMs.nullable(),
});

export type Person = z.infer<typeof person>;

export const personList = z.strictObject({ people: z.array(person) });

export const changePerson = z
  .strictObject({ role: role.optional(), disabled: z.boolean().optional() })
  .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, "expected role or disabled");

export type ChangePerson = z.infer<typeof changePerson>;

export const signIn = z.strictObject({ email: z.string().max(200), password: givenPassword });

/** Who signed in. */
export const signedIn = z.strictObject({ name: z.string(), role });

export const changePassword = z.strictObject({ current: givenPassword, next: z.string().max(1000) });

/** A browser in which a person is signed in. */
export const session = z.strictObject({
  sessionId: z.string(),
  startedAt: epochMs,
  expiresAt: epochMs,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});

export type Session = z.infer<typeof session>;

export const sessionList = z.strictObject({ sessions: z.array(session) });
