import type { Equipment } from '../../src/contract/equipment.js'
import { accountRound } from './account-rounds.js'
import type { Model } from './linearizable.js'
import { type Done, Round, together } from './round.js'
import type { Client, Response, Site } from './site.js'

const LOCK_SECONDS = 3600
/** Not connected to anything. */
const SPARE_ADDRESS = '10.9.0.1'

interface RecordState {
  readonly run: string | undefined
  readonly revision: number
  readonly holder: string | null
}
type RecordCall =
  | { readonly kind: 'read' | 'lock' | 'unlock' }
  | { readonly kind: 'write'; readonly run: string; readonly ifMatch: number | undefined }

const shownState = ({ labels, revision, lock }: Equipment): RecordState => ({
  run: labels['run'],
  revision,
  holder: lock?.by ?? null,
})

/** A lock that is being written refuses others already, and nobody is shown it. */
const isSought = (calls: readonly Done<RecordCall>[], { caller, began, ended }: Done<RecordCall>): boolean =>
  calls.some(
    (other) =>
      other.input.kind === 'lock' && other.caller !== caller && other.began <= ended && other.ended >= began,
  )

/** What one equipment's record, with its lock, does to calls that come one after the other. `calls`: all of the round. */
const recordModel =
  (calls: readonly Done<RecordCall>[]): Model<RecordState, RecordCall, Response> =>
  (state, operation) => {
    const { caller, input, output } = operation
    const isMine = state.holder === null || state.holder === emailOf(caller)
    const status = output?.status
    if (status === 409) return !isMine || isSought(calls, operation) ? state : undefined
    switch (input.kind) {
      case 'read':
        return !output || JSON.stringify(shownState(output.body as Equipment)) === JSON.stringify(state)
          ? state
          : undefined
      case 'lock':
        return isMine ? { ...state, holder: emailOf(caller) } : undefined
      case 'unlock':
        return isMine ? { ...state, holder: null } : undefined
      default: {
        const fits = input.ifMatch === undefined || input.ifMatch === state.revision
        if (status === 412) return fits || !isMine ? undefined : state
        if (!fits || !isMine) return undefined
        const next = { ...state, run: input.run, revision: state.revision + 1 }
        return !output || JSON.stringify(shownState(output.body as Equipment)) === JSON.stringify(next)
          ? next
          : undefined
      }
    }
  }

const emailOf = (name: string): string => `${name}@fab.example`

/** Reads, writes, locks and unlocks one equipment. */
async function recordRound(site: Site, callers: readonly Client[], id: string): Promise<void> {
  const [first] = callers as [Client]
  const path = `/equipment/${id}`
  const round = new Round<RecordCall>(site, ({ input }) => input.kind === 'read')
  await round.settle(first)
  const { status, body } = await first.insist('GET', path)
  if (status !== 200) return
  const initial = shownState(body as Equipment)
  const seen = new Map<Client, number>()
  await together(callers, async (client) => {
    const choice = client.chance.below(6)
    if (choice === 0) {
      await round.call(client, { kind: 'lock' }, 'PUT', `${path}/lock`, {
        for_seconds: LOCK_SECONDS,
        reason: 'a round',
      })
    } else if (choice === 1) await round.call(client, { kind: 'unlock' }, 'DELETE', `${path}/lock`)
    else if (choice === 2) {
      const read = await round.call(client, { kind: 'read' }, 'GET', path)
      if (read) seen.set(client, (read.body as Equipment).revision)
    } else {
      const ifMatch = client.chance.is(0.7) ? (seen.get(client) ?? initial.revision) : undefined
      const run = `run-${client.chance.below(1e6)}`
      const headers = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}-0"` }
      await round.call(client, { kind: 'write', run, ifMatch }, 'PUT', path, { labels: { run } }, headers)
    }
  })
  await round.call(first, { kind: 'read' }, 'GET', path)
  if (!round.isSpoilt)
    round.check('Calls about one record take effect one after the other.', initial, recordModel(round.done))
}

/** An ETag that nothing has in a round. */
const NO_REVISION = '"77-0"'
/** `isOther`: the call is about a revision that there is not. */
type ThingCall =
  | { readonly kind: 'make' }
  | { readonly kind: 'remove' | 'use'; readonly id: string; readonly isOther?: boolean }

/** Something with a unique name, which is there or not. */
const thingModel: Model<string | null, ThingCall, Response> = (state, { input, output }) => {
  const status = output?.status
  if (input.kind === 'make') {
    if (status === 409) return state === null ? undefined : state
    if (state !== null) return undefined
    return output ? (output.body as { readonly id: string }).id : 'not known'
  }
  const isThere = state === input.id
  if (input.kind === 'use') return (status === 200) === isThere || !output ? state : undefined
  if (input.isOther) return !output || status === (isThere ? 412 : 404) ? state : undefined
  if (!output) return isThere ? null : state
  if (status === 204) return isThere ? null : undefined
  return isThere ? undefined : state
}

/** Registers equipment of one name, and deletes it; or creates API keys of one name, uses and revokes them. */
async function thingRound(
  site: Site,
  callers: readonly Client[],
  { path, bodyOf }: { readonly path: string; readonly bodyOf: (client: Client) => object },
): Promise<void> {
  const [first] = callers as [Client]
  const round = new Round<ThingCall>(site, ({ input }) => input.kind === 'use')
  await round.settle(first)
  const known: { readonly id: string; readonly key?: string }[] = []
  await together(callers, async (client) => {
    const one = known.length > 0 && client.chance.is(0.6) ? client.chance.pick(known) : undefined
    if (!one) {
      const made = await round.call(client, { kind: 'make' }, 'POST', path, bodyOf(client))
      if (made?.status === 201) known.push(made.body as { readonly id: string; readonly key?: string })
    } else if (client.chance.is(0.5)) {
      const input = { kind: 'remove', id: one.id, isOther: client.chance.is(0.3) } as const
      const headers = input.isOther ? { 'if-match': NO_REVISION } : {}
      await round.call(client, input, 'DELETE', `${path}/${one.id}`, undefined, headers)
    } else if (one.key !== undefined)
      await round.callWith(client, { kind: 'use', id: one.id }, one.key, 'GET', '/keys/me')
    else await round.call(client, { kind: 'use', id: one.id }, 'GET', `${path}/${one.id}`)
  })
  if (!round.isSpoilt) round.check('Calls about one name take effect one after the other.', null, thingModel)
}

/** Several people at once change one record, and make and remove things of the same name. */
export async function callTogether(site: Site, callers: readonly Client[]): Promise<void> {
  const [first] = callers as [Client]
  for (let number = 0; ; number++) {
    await first.rest(20_000, 200_000)
    const spare = await spareOf(first)
    await recordRound(site, callers, spare)
    await first.insist('DELETE', `/equipment/${spare}/lock?force=true&reason=over`)
    const name = `made-${number}`
    const port = 1000 + (number % 60_000)
    await thingRound(site, callers, {
      path: '/equipment',
      bodyOf: () => ({ name, ip_address: SPARE_ADDRESS, port }),
    })
    await thingRound(site, callers, {
      path: '/keys',
      bodyOf: () => ({ name, role: 'viewer', expires_at: null }),
    })
    await accountRound(site, callers, number)
    await removeMade(first)
  }
}

/** The id of the equipment that is there for rounds. */
async function spareOf(client: Client): Promise<string> {
  const { body } = await client.insist('GET', '/equipment?limit=1000')
  const known = (body as { readonly items: readonly Equipment[] }).items.find(({ name }) => name === 'spare')
  if (known) return known.id
  const made = await client.insist('POST', '/equipment', {
    name: 'spare',
    ip_address: SPARE_ADDRESS,
    port: 999,
  })
  return made.status === 201 ? (made.body as Equipment).id : spareOf(client)
}

/** Nothing of a round is left. */
async function removeMade(client: Client): Promise<void> {
  for (const path of ['/equipment', '/keys', '/users']) {
    const { body } = await client.insist('GET', `${path}?limit=1000`)
    for (const { id, name } of (body as { readonly items: readonly { id: string; name: string }[] }).items) {
      if (name.startsWith('made-')) await client.insist('DELETE', `${path}/${id}`)
    }
  }
}
