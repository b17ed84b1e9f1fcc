import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { Random } from '../random.js'
import { ArrivalLog, arrivalOf } from './arrivals.js'

export interface TargetOptions {
  readonly port: number
  /** Where arrivals are written; `LOG.lost` has those that were answered 200 and dropped. */
  readonly log: string
  readonly secret: string
  readonly seed: number
  /** Milliseconds that an answer takes, at most. */
  readonly slow: number
  /** Shares of the requests: answered 200 and lost, 500 and kept, cut off and kept, 503. */
  readonly lies: Readonly<Record<'lost' | 'kept' | 'cut' | 'busy', number>>
}

export const HONEST = { lost: 0, kept: 0, cut: 0, busy: 0 }

const { Webhook } = createRequire(import.meta.url)('standardwebhooks') as {
  readonly Webhook: new (
    secret: string,
  ) => { verify(body: string, headers: Record<string, unknown>): unknown }
}

/** Serves a webhook in this process for the process that started it. */
export function serveTarget({ port, log, secret, seed, slow, lies }: TargetOptions): void {
  const random = new Random(seed)
  const [kept, lost] = [new ArrivalLog(log), new ArrivalLog(`${log}.lost`)]
  const verifier = new Webhook(secret)
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    if (text === undefined) return
    try {
      verifier.verify(text, request.headers)
    } catch {
      return void response.writeHead(400).end('the signature is wrong')
    }
    if (slow > 0) await new Promise((resolve) => setTimeout(resolve, random.below(slow)))
    const sent: unknown = JSON.parse(text)
    const texts = Array.isArray(sent) ? sent.map((one) => JSON.stringify(one)) : [text]
    const arrivals = texts.map(arrivalOf)
    const chance = random.next()
    const { lost: isLost, kept: isKept, cut: isCut, busy: isBusy } = lies
    if (chance < isBusy) return void response.writeHead(503, { 'retry-after': '1' }).end()
    const isDropped = chance < isBusy + isLost
    if (isDropped) lost.write(arrivals)
    else kept.write(arrivals)
    if (!isDropped && chance < isBusy + isLost + isKept) return void response.writeHead(500).end('kept it')
    if (!isDropped && chance < isBusy + isLost + isKept + isCut) return void request.socket.destroy()
    response.writeHead(200).end()
  })
  server.listen(port, '127.0.0.1', () => process.send?.('ready'))
  process.on('disconnect', () => process.exit())
}

/** Undefined when the caller was cut off. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
  } catch {
    return undefined
  }
  const body = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
}

/** A part of the run in a process of its own, which is killed, stopped and started again. */
export class Killable {
  #child: ChildProcess | undefined

  constructor(
    readonly name: string,
    /** What the program of this process is told: its role and the options. */
    private readonly told: readonly string[],
  ) {}

  /** Resolves once it is ready. */
  async start(): Promise<void> {
    const child = fork(process.argv[1] ?? '', this.told)
    this.#child = child
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${this.name} has ended with ${code}`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => {})
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
