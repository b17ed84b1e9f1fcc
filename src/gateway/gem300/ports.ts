import { onePage } from '../../contract/schema.js'
import type { LoadPort, portEndpoints } from '../../contract/topics/gem300/ports.js'
import { portNumber } from '../../gem300/identifier.js'
import {
  ACCESS_MODE_WORDS,
  ASSOCIATION_WORDS,
  PORT_TRANSFER_WORDS,
  RESERVATION_WORDS,
} from '../../gem300/port.js'
import { PORT_ACTIONS } from '../../gem300/port-actions.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Handlers } from '../handler.js'
import type { Exchanged } from '../services/asking.js'
import { isDone } from './carriers.js'
import { attributesIn, bodyFor, errorsIn, exchanged, viewOf } from './object-exchange.js'
import { codeAttribute, loadPortObjects, refused, type ToldObject } from './object-query.js'
import { shownInTurns } from './objects-in-turns.js'

/** Load ports (SEMI E87): objects (S14F1), actions (S3F25), and their access mode (S3F27). */
export const portHandlers: Handlers<typeof portEndpoints> = {
  async listPorts({ params: { id }, query }, { asking }) {
    const told = await loadPortObjects(asking, id, query)
    const { objects, view, refusal } = told
    if (refusal !== undefined) throw refused(asking, id, view.variants.portType, told)
    return onePage(await shownInTurns(objects, (object) => loadPort(object, view)))
  },

  async commandPort({ params: { id, port }, send, body: { command, style } }, { asking }) {
    const view = viewOf(asking.reading(id))
    const actions = style === undefined ? view.variants.portActions : PORT_ACTIONS[style]
    const item = bodyFor('S3F25', { PTN: Number(port), ...actions[command] }, view)
    return resultOf(await exchanged(asking, id, 'S3F25', item, 'S3F26', send))
  },

  async changeAccessMode({ params: { id }, send, body: { mode, ports } }, { asking }) {
    const ACCESSMODE = mode === 'auto' ? ('AUTO' as const) : ('MANUAL' as const)
    const item = bodyFor('S3F27', { ACCESSMODE, PTN: ports }, viewOf(asking.reading(id)))
    return resultOf(await exchanged(asking, id, 'S3F27', item, 'S3F28', send))
  },
}

const resultOf = ({
  content: { CAACK, ERRORS },
  message_id,
  reply_id,
}: Exchanged & {
  readonly content: { readonly CAACK: string; readonly ERRORS: Parameters<typeof errorsIn>[0] }
}) => ({ accepted: isDone(CAACK), errors: errorsIn(ERRORS), message_id, reply_id })

const loadPort = (object: ToldObject, view: Gem300View): LoadPort => ({
  port: object.id,
  number: portNumber(object.id),
  transfer: codeAttribute(object, ['PortTransferState'], PORT_TRANSFER_WORDS, view),
  access_mode: codeAttribute(object, ['PortAccessMode', 'AccessMode'], ACCESS_MODE_WORDS, view),
  reservation: codeAttribute(
    object,
    ['PortReservationState', 'LoadPortReservationState'],
    RESERVATION_WORDS,
    view,
  ),
  association: codeAttribute(object, ['PortAssociationState'], ASSOCIATION_WORDS, view),
  attributes: attributesIn(object.attributes, view),
})
