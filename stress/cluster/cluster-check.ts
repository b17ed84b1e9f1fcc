import { endpoints } from '../../src/contract/endpoints.js'
import type { ClusterDaemon } from './cluster-daemon.js'
import type { Seen } from './cluster-tools.js'

/** A message that a client sent with a key of its own, maybe in several attempts. */
export interface Asked {
  readonly number: number
  readonly from: number
  /** When the response came; both as of `Date.now()`. */
  until: number | undefined
  /** Of the response; undefined where there was none. */
  messageId: string | undefined
}

/** Two times as of `Date.now()`. */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/** What tools and clients saw. */
export interface Outcome {
  readonly seen: readonly Seen[]
  readonly asked: readonly Asked[]
  /** The ids of the events that each follower received. */
  readonly heard: ReadonlyMap<string, readonly string[]>
  /** The equipment of each tool. */
  readonly ids: readonly string[]
  /** What was acknowledged then may be gone with the primary database that was lost. */
  readonly lost: readonly Stretch[]
}

interface Verdict {
  readonly isMet: boolean
  readonly text: string
}

interface ExportedEntry {
  readonly seq: number
  readonly type: string
  readonly name: string
  readonly key: string
  readonly topic?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The whole journal, as the API exports it. */
async function* exported(daemon: ClusterDaemon): AsyncGenerator<ExportedEntry> {
  await daemon.client()
  const answer = await fetch(`${daemon.url}/api/v1${endpoints.exportJournal.path}`, {
    headers: { authorization: `Bearer ${daemon.token}` },
  })
  if (!answer.ok || !answer.body) throw new Error(`the export was answered ${answer.status}`)
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as ExportedEntry
  }
}

export async function checked(
  { seen, asked, heard, ids, lost: mayBeLost }: Outcome,
  daemon: ClusterDaemon,
): Promise<Verdict[]> {
  const reports = new Map<string, number>()
  const messages = new Set<string>()
  const events: string[] = []
  let [last, holes] = [0, 0]
  for await (const { seq, type, name, key, topic, data } of exported(daemon)) {
    if (last !== 0 && seq !== last + 1) holes += 1
    last = seq
    if (type !== 'message') continue
    messages.add(String(seq))
    events.push(String(seq))
    if (name === 'message_received' && topic === 'S6F11') {
      const identity = `${key} ${data['system_bytes']}`
      reports.set(identity, (reports.get(identity) ?? 0) + 1)
    }
  }
  const isExempt = (from: number, until = Number.POSITIVE_INFINITY): boolean =>
    mayBeLost.some((stretch) => from <= stretch.until && until >= stretch.from)
  let [sent, acknowledged, exempt, lost, repeated, tooMany, old] = [0, 0, 0, 0, 0, 0, 0]
  for (const [at, tool] of seen.entries()) {
    const countOf = (systemBytes: number): number => reports.get(`${ids[at]} ${systemBytes}`) ?? 0
    acknowledged += tool.acknowledged.length
    const missing = tool.acknowledged.filter(([systemBytes]) => countOf(systemBytes) === 0)
    const excused = missing.filter(([, at]) => isExempt(at, at)).length
    exempt += excused
    lost += missing.length - excused
    old += tool.fromOldOwner.length
    for (const [systemBytes, times] of tool.sent) {
      sent += times
      repeated += Math.max(0, countOf(systemBytes) - 1)
      tooMany += Math.max(0, countOf(systemBytes) - times)
    }
  }
  const arrived = new Map<number, number>()
  for (const number of seen.flatMap((tool) => tool.asked)) arrived.set(number, (arrived.get(number) ?? 0) + 1)
  const answered = asked.filter(({ messageId }) => messageId !== undefined)
  const forgotten = answered.filter(
    ({ messageId, until = 0 }) => !messages.has(String(messageId)) && !isExempt(until, until),
  )
  const asking = new Map(asked.map((one) => [one.number, one]))
  const twice = [...arrived].filter(([number, times]) => {
    const { from = 0, until } = asking.get(number) ?? {}
    return times > 1 && !isExempt(from, until)
  })
  const verdicts = [
    { isMet: holes === 0, text: `${last} entries without a hole: ${holes} holes` },
    {
      isMet: lost === 0,
      text: `${sent} reports sent, ${acknowledged} acknowledged; ${lost} of these are not in the journal, ${exempt} went with a primary database`,
    },
    {
      isMet: tooMany === 0,
      text: `${repeated} reports are twice in the journal, ${tooMany} more often than they were sent`,
    },
    { isMet: old === 0, text: `${old} messages over the connection of a former owner` },
    {
      isMet: forgotten.length === 0,
      text: `${asked.length} messages asked for, ${answered.length} answered; ${forgotten.length} of these are not in the journal`,
    },
    { isMet: twice.length === 0, text: `${arrived.size} arrived at a tool, ${twice.length} more than once` },
  ]
  for (const [name, received] of heard) {
    const between = events.slice(events.indexOf(received[0] ?? ''), events.indexOf(received.at(-1) ?? '') + 1)
    const inOrder = between.length === received.length && between.every((id, at) => id === received[at])
    verdicts.push({
      isMet: inOrder && received.length > 0,
      text: `follower ${name}: ${received.length} events, ${between.length} recorded between its first and its last, ${inOrder ? 'the same' : 'NOT the same'} in the same order`,
    })
  }
  return verdicts
}
