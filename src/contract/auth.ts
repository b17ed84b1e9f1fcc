import { type Static, Type } from 'typebox'
import { Time } from './schema.js'
import { Identity } from './users.js'

export const Credentials = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 256 }),
  },
  { additionalProperties: false },
)
export type Credentials = Static<typeof Credentials>

export const Login = Type.Object({
  token: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer <token>`.' }),
  user: Identity,
  expires_at: Time('When the token expires.'),
})
export type Login = Static<typeof Login>
