// The callers of bench/api.ts, in a process of their own: connections that ask again as soon as they are answered.
import { connect } from 'node:net'

export interface Ask {
  readonly port: number
  /** The whole request, as it is written. */
  readonly request: string
  readonly clients: number
  readonly milliseconds: number
}

export interface Answered {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from a request to its answer: the half and the slowest hundredth. */
  readonly median: number
  readonly slow: number
}

export interface Follow {
  readonly port: number
  readonly request: string
  readonly clients: number
  /** Every client is done when it has seen this event. */
  readonly last: number
}

export interface Followed {
  readonly events: number
  readonly gaps: number
  /** Milliseconds from when an event happened to its coming: the half and the slowest hundredth. */
  readonly median: number
  readonly slow: number
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
const rising = (values: number[]): number[] => values.sort((a, b) => a - b)

const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Tells whether all of a response has come, whose header is in its first piece. `held`: its pieces so far. */
function wholeOnce(first: Buffer, held: readonly Buffer[]): () => boolean {
  const end = first.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(first.toString('latin1', 0, end))?.[1]
  if (length === undefined) return () => Buffer.concat(held.slice(-8)).toString('latin1').endsWith(LAST_CHUNK)
  return () => held.reduce((bytes, one) => bytes + one.length, 0) >= end + 4 + Number(length)
}

/** Asks for so long, each client one after the other. Throws at the first answer that is no success. */
export async function ask({ port, request, clients, milliseconds }: Ask): Promise<Answered> {
  const times: number[] = []
  const begun = performance.now()
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let asked = 0
      let held: Buffer[] = []
      const next = (): void => {
        if (performance.now() - begun > milliseconds) return void socket.end(resolve)
        asked = performance.now()
        socket.write(request)
      }
      socket.on('connect', next)
      socket.on('error', reject)
      let isWhole = (): boolean => false
      socket.on('data', (chunk) => {
        held.push(chunk)
        if (held.length === 1) isWhole = wholeOnce(chunk, held)
        if (!isWhole()) return
        if (!held[0]?.toString('latin1', 0, 10).startsWith('HTTP/1.1 2'))
          return void reject(new Error(Buffer.concat(held).toString()))
        held = []
        times.push(performance.now() - asked)
        next()
      })
    })
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = times.length / ((performance.now() - begun) / 1000)
  rising(times)
  return { count: times.length, perSecond, median: at(times, 0.5), slow: at(times, 0.99) }
}

/** Follows the events until all clients have seen the last. `ready` is told when all are listening. */
export async function follow({ port, request, clients, last }: Follow, ready: () => void): Promise<Followed> {
  const late: number[] = []
  let events = 0
  let gaps = 0
  let listening = 0
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let seen: number | undefined
      let held = ''
      socket.setEncoding('utf8').on('error', reject)
      socket.on('data', (chunk: string) => {
        if (held === '' && seen === undefined && ++listening === clients) ready()
        held += chunk
        const whole = held.lastIndexOf('\n\n') + 2
        const now = Date.now()
        for (const [, id, , time] of held
          .slice(0, whole)
          .matchAll(/^id: (\d+)\n(event: \w+\ndata: .*?"at":"([^"]+)")?/gm)) {
          if (time === undefined) {
            seen ??= Number(id)
            continue
          }
          events++
          if (Number(id) !== (seen ?? 0) + 1) gaps++
          seen = Number(id)
          late.push(now - Date.parse(time))
        }
        held = held.slice(whole)
        if (seen === undefined || seen < last) return
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: clients }, client))
  rising(late)
  return { events, gaps, median: at(late, 0.5), slow: at(late, 0.99) }
}
