import { type Static, Type } from 'typebox'
import { ignored, oneOf, PAIR, PLAIN_NAME, Time, UNPRINTABLE } from './schema.js'

/** Roles of users. Each role includes the permissions of the roles before it. */
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
  'Each role includes the roles before it. `viewer`: read. `operator`: connect, send remote commands, acknowledge alarms. `engineer`: send messages, change equipment. `admin`: manage users.',
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

/** Changes the password of the user who makes the call. */
export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 256, description: 'The current password.' }),
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
