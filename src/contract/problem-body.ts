import { type Static, Type } from 'typebox'

/** The body of every error answer: a problem object (RFC 9457) of type `application/problem+json`. */
export const ProblemBody = Type.Object({
  type: Type.String({ description: 'Always `about:blank`: `code` says which problem it is.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ description: 'What went wrong this time, and what to do next.' }),
  instance: Type.String({ description: 'The path that was called.' }),
  code: Type.String({ description: 'A stable word for programs.' }),
  request_id: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
  message_id: Type.Optional(
    Type.String({ description: 'The message this is about, where one was recorded.' }),
  ),
  reply_id: Type.Optional(Type.String({ description: 'The reply this is about, where one was recorded.' })),
})
export type ProblemBody = Static<typeof ProblemBody>
