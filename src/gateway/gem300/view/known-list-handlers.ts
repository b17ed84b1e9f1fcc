import type { knownListEndpoints } from '../../../contract/topics/gem300/known-lists.js'
import type { ObjectKind } from '../../../gem300/object-states.js'
import type { Handlers, ReceivedCall } from '../../handler.js'
import type { Gateway } from '../../open-gateway.js'
import { knownPage } from './known-page.js'

type Endpoints = typeof knownListEndpoints
type ListCall = ReceivedCall<Endpoints[keyof Endpoints]>

const listOf =
  (kind: ObjectKind) =>
  ({ query }: ListCall, { equipment, objects }: Gateway) => {
    const keys = equipment.labels.selection(query)()
    return knownPage(kind, query, {
      ids: keys === undefined ? equipment.ids : typeof keys === 'string' ? [keys] : keys,
      objectsOf: (id) => objects.of(id),
      nameOf: (id) => equipment.identityOf(id)?.name ?? null,
    })
  }

/** What is known of carriers, jobs and substrates over all equipment. */
export const knownListHandlers: Handlers<Endpoints> = {
  listKnownCarriers: listOf('carrier'),
  listKnownJobs: listOf('job'),
  listKnownSubstrates: listOf('substrate'),
}
