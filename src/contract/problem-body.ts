import { type Static, Type } from 'typebox'
import { named, OptionalText, Text } from './schema.js'

/** The body of every error response: a problem object (RFC 9457) of type `application/problem+json`. */
export const ProblemBody = named('Problem', {
  type: Text('Always `about:blank`; `code` identifies the problem.'),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Text('What went wrong in this request, and what to do.'),
  instance: Text('Path of the request.'),
  code: Text('Error code for programs, such as `equipment_not_found`; it does not change between versions.'),
  request_id: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
  more_errors: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How many further faults `errors` leaves out: it has 50 at most.',
    }),
  ),
  next: Type.Optional(
    Type.Array(
      Type.Object({
        operation: Text('The `operationId` of the call in this document.'),
        parameters: Type.Optional(Type.Object({ id: Text('The path parameter `id` of the call.') })),
      }),
      { description: 'Calls that are worth making next, the most useful first.' },
    ),
  ),
  message_id: OptionalText('Id of the recorded message that the problem refers to, if there is one.'),
  s9: OptionalText('The stream 9 message that ended the transaction, such as `S9F5`.'),
  reply_id: OptionalText('Id of the recorded reply that the problem refers to, if there is one.'),
})
export type ProblemBody = Static<typeof ProblemBody>
