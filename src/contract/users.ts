import { type Static, Type } from 'typebox'
import { ignored, oneOf, PAIR, PLAIN_NAME, Time, UNPRINTABLE } from './schema.js'

/** What a user may do, each more than the one before it. */
export const ROLES = ['viewer', 'operator', 'engineer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** True when `role` may do what `needed` may. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)

const EMAIL_CHARACTER = `(?:[^\\s@${UNPRINTABLE}]|${PAIR})`
const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^${EMAIL_CHARACTER}+@${EMAIL_CHARACTER}+$`,
  description: 'Email address: unique, printable characters around one @.',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: PLAIN_NAME,
  description: 'Display name: 1 to 64 printable characters, no blank at either end.',
})
const Password = Type.String({ minLength: 12, maxLength: 256 })
const UserRole = oneOf(
  ROLES,
  'viewer reads; operator also connects, commands and acknowledges; engineer also sends messages and changes equipment; admin also manages users.',
)

/** The user of a token, as login answers it. */
export const Identity = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: UserRole,
})
export type Identity = Static<typeof Identity>

export const User = Type.Object({ ...Identity.properties, created_at: Time('When the user was added.') })
export type User = Static<typeof User>

/** A new password of one's own. */
export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 256, description: 'The password of now.' }),
    new_password: Password,
  },
  { additionalProperties: false },
)
export type PasswordChange = Static<typeof PasswordChange>

export const NewUser = Type.Object(
  { email: Email, name: Name, role: UserRole, password: Password, id: ignored(), created_at: ignored() },
  { additionalProperties: false },
)
export type NewUser = Static<typeof NewUser>

/** Any part of a new user. Read-only fields may be sent back and are ignored. */
export const UserChange = Type.Object(
  {
    email: Type.Optional(Email),
    name: Type.Optional(Name),
    role: Type.Optional(UserRole),
    password: Type.Optional(Password),
    id: ignored(),
    created_at: ignored(),
  },
  { additionalProperties: false },
)
export type UserChange = Static<typeof UserChange>
