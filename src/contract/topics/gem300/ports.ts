import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { Id, input, named, nullable, oneOf, onePage, Page, Text } from '../../schema.js'
import { READS, WRITES } from '../messages.js'
import { ObjectAttribute, ObjectResult, objectResultAs, StateWord } from './object-values.js'

const PortNumber = Type.Integer({ minimum: 1, maximum: 255, description: 'Port number (PTN).' })
/** A path has text. */
const ByPort = Type.Object({
  id: Id,
  port: Type.String({
    pattern: '^([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$',
    description: 'Port number (PTN), 1 to 255.',
  }),
})

export const LoadPort = named('LoadPort', {
  port: Text('ObjID of the port.'),
  number: nullable(
    Type.Integer({
      description:
        'Port number (PTN) by which the port is commanded: the number at the end of its ObjID, such as 1 of `LP1`. Null where there is none.',
    }),
  ),
  transfer: StateWord('PortTransferState, such as `READY_TO_LOAD`'),
  access_mode: StateWord('`MANUAL` or `AUTO`'),
  reservation: StateWord('`NOT_RESERVED` or `RESERVED`'),
  association: StateWord('`NOT_ASSOCIATED` or `ASSOCIATED`'),
  attributes: Type.Array(ObjectAttribute, { description: 'All attributes as the equipment gave them.' }),
})
export type LoadPort = Static<typeof LoadPort>

const PORT_COMMANDS = ['in_service', 'out_of_service', 'reserve', 'cancel_reservation'] as const
export const PORT_STYLES = ['standard', 'in_service_4', 'words', 'upper_case'] as const

const Result = Type.Object(ObjectResult)

export const portEndpoints = {
  listPorts: endpoint('GET /equipment/{id}/ports', {
    ...READS,
    tag: 'carriers',
    summary: 'List the load ports of the equipment',
    description:
      'Sends S14F1 for all objects of the type LoadPort, and if there are none of the type Port. The response has all in one page.',
    reply: Page(LoadPort),
    examples: {
      reply: onePage<LoadPort>([
        {
          port: 'LP1',
          number: 1,
          transfer: 'READY_TO_LOAD',
          access_mode: 'AUTO',
          reservation: 'NOT_RESERVED',
          association: 'NOT_ASSOCIATED',
          attributes: [{ name: 'PortTransferState', value: { U1: [2] }, text: '2' }],
        },
      ]),
    },
  }),
  commandPort: endpoint('POST /equipment/{id}/ports/{port}/commands', {
    ...WRITES,
    tag: 'carriers',
    summary: 'Put a load port in or out of service, reserve it, or cancel the reservation',
    description: 'Sends S3F25. If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    params: ByPort,
    body: input({
      command: oneOf(PORT_COMMANDS),
      style: Type.Optional(
        oneOf(
          PORT_STYLES,
          'How the equipment wants it said. Default: as its mapping says, otherwise `standard`. `standard`: ChangeServiceStatus with ServiceStatus 1 and 0, ReserveAtPort. `in_service_4`: 4 for in service. `words`: InService and OutOfService are the action. `upper_case`: INSERVICE, RESERVATIONATPORT.',
        ),
      ),
    }),
    reply: Result,
    audited: ['command'],
    examples: { body: { command: 'in_service' }, reply: objectResultAs(95) },
  }),
  changeAccessMode: endpoint('PUT /equipment/{id}/ports/access-mode', {
    ...WRITES,
    tag: 'carriers',
    summary: 'Change the access mode of load ports',
    description:
      'Sends S3F27. If the equipment refuses, the response is 200 with `accepted` false; `errors` name the ports.',
    access: 'operator',
    body: input({
      mode: oneOf(['manual', 'auto'], 'ACCESSMODE.'),
      ports: Type.Array(PortNumber, { maxItems: 255, description: 'Ports; an empty list is all of them.' }),
    }),
    reply: Result,
    audited: ['mode', 'ports'],
    examples: { body: { mode: 'auto', ports: [1, 2] }, reply: objectResultAs(95) },
  }),
} as const
