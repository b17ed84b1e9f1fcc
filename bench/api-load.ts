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

/** Asks for so long, each client one after the other. Throws at the first answer that is no success. */
export async function ask({ port, request, clients, milliseconds }: Ask): Promise<Answered> {
  const times: number[] = []
  const begun = performance.now()
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let asked = 0
      let held = Buffer.alloc(0)
      const next = (): void => {
        if (performance.now() - begun > milliseconds) return void socket.end(resolve)
        asked = performance.now()
        socket.write(request)
      }
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
        const end = held.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = held.toString('latin1', 0, end)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (held.length < end + 4 + length) return
        if (!/^HTTP\/1\.1 2/.test(head)) return void reject(new Error(held.toString()))
        held = Buffer.alloc(0)
        times.push(performance.now() - asked)
        next()
      })
    })
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = times.length / ((performance.now() - begun) / 1000)
  rising(times)
  return { perSecond, median: at(times, 0.5), slow: at(times, 0.99) }
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
