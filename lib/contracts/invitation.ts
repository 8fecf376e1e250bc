import { z } from "zod";
import { epochMs } from "./common.ts";
import { emailAddress, personId, personName } from "./person.ts";
import { role } from "./role.ts";

/** For somebody who has no account yet; or for one who has, and needs another password. */
export const makeInvitation = z.union([z.strictObject({ role }), z.strictObject({ personId })]);

export type MakeInvitation = z.infer<typeof makeInvitation>;

export const invitation = z.strictObject({
  invitationId: z.int(),
  /** Of who accepts it. */
  role,
  /** Who gets another password by it; null for a new account. */
  person: z.string().nullable(),
  createdBy: z.string(),
  createdAt: epochMs,
  expiresAt: epochMs,
});

export type Invitation = z.infer<typeof invitation>;

/** The only answer that holds the path, which opens once. */
export const madeInvitation = invitation.extend({ path: z.string() });

/** Those that may still be accepted. */
export const invitationList = z.strictObject({ invitations: z.array(invitation) });

/** `name` and `email` for a new account alone. */
export const acceptInvitation = z.strictObject({
  code: z.string().max(100),
  name: personName.optional(),
  email: emailAddress.optional(),
  password: z.string().max(1000),
});

export type AcceptInvitation = z.infer<typeof acceptInvitation>;
