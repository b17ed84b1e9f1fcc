import { type Static, Type } from 'typebox'
import { named } from './schema.js'

/** The body of every error answer: a problem object (RFC 9457) of type `application/problem+json`. */
export const ProblemBody = named('Problem', {
  type: Type.String({ description: 'Always `about:blank`; `code` identifies the problem.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ description: 'What went wrong in this request, and what to do.' }),
  instance: Type.String({ description: 'Path of the request.' }),
  code: Type.String({ description: 'Error code for programs; it does not change between versions.' }),
  request_id: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
  next: Type.Optional(
    Type.Array(
      Type.Object({
        operation: Type.String({ description: 'The `operationId` of the call in this document.' }),
        parameters: Type.Optional(
          Type.Object({ id: Type.String({ description: 'The path parameter `id` of the call.' }) }),
        ),
      }),
      { description: 'Calls that are worth making next, the most useful first.' },
    ),
  ),
  message_id: Type.Optional(
    Type.String({ description: 'Id of the recorded message that the problem refers to, if there is one.' }),
  ),
  s9: Type.Optional(
    Type.String({ description: 'The stream 9 message that ended the transaction, such as `S9F5`.' }),
  ),
  reply_id: Type.Optional(
    Type.String({ description: 'Id of the recorded reply that the problem refers to, if there is one.' }),
  ),
})
export type ProblemBody = Static<typeof ProblemBody>
