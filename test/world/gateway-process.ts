import { createServer, type Socket } from 'node:net'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { inject } from 'light-my-request'
import { type Certificate, UsedCertificate } from '../../src/api/certificate.js'
import { CertificateRenewal } from '../../src/daemon/certificate-renewal.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import type { Store } from '../../src/store/store.js'
import type { Network } from './network.js'
import { FOLDER, type Storage } from './storage.js'
import { Taps } from './taps.js'
import type { Versions } from './versions.js'
import { Host, type World } from './world.js'

/** Where the gateways of a site reach each other; with TLS where there is a certificate. */
export const API_PORT = 8080
/** scrypt's N: passwords are no secret here. */
const PASSWORD_COST = 2

export const ADMIN = { email: 'admin@fab.example', password: 'correct horse battery' }

/** The gateway's process is not there, or ended before it responded. */
export class NoResponse extends Error {
  override readonly name: string = 'NoResponse'
}

/** The gateway's process is there, was not stopped meanwhile, and has not responded for longer than any caller waits. */
export class TooLate extends NoResponse {
  override readonly name = 'TooLate'
}

/** The process was killed while it started. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Milliseconds after which a caller gives up. */
const CALL_TIMEOUT_MS = 90_000

interface Running {
  readonly host: Host
  readonly store: Store
  readonly gateway: Gateway
  readonly app: FastifyInstance
  /** Its side of the process of the taps. */
  readonly taps: { close(): void }
  /** What reads the certificate again. */
  readonly renewal: CertificateRenewal | undefined
}

/** The machine of a gateway: one process after the other, which run the product's own code. */
export class GatewayMachine {
  host: Host
  #running: Running | undefined
  #processes = 0
  /** Calls under way: what ends each of them when the process dies. */
  readonly #calls = new Set<(error: NoResponse) => void>()
  /** Milliseconds by which the machine's clock is wrong. */
  #skew = 0
  /** How often the clock was set. */
  clockChanges = 0
  #starting = (): void => {}
  readonly #awaitingEnd: (() => void)[] = []
  #stopping = (): void => {}
  /** Somebody works on the machine: the process is not started by itself. */
  isHeld = false
  /** Of the product: what the next process runs. */
  version = 0
  /** The process of the taps, which outlives those of the gateway. */
  readonly taps: Taps
  /** Called when the process of the taps ends with what it had to tell. */
  tapsLost = (): void => {}
  /** The lowest number of a newest entry when a process opened the journal. */
  lowestAtOpening = 0

  constructor(
    readonly world: World,
    readonly network: Network,
    readonly storage: Storage,
    readonly versions: Versions,
    readonly number = 1,
  ) {
    this.host = this.#nextHost()
    this.host.alive = false
    this.taps = new Taps(world, network, this.host.ip)
  }

  killTaps(withPower: boolean): void {
    this.tapsLost()
    this.taps.kill(withPower)
  }

  set skew(ms: number) {
    this.clockChanges += 1
    this.#skew = ms
    this.host.skew = ms
    this.taps.skew = ms
  }

  /** Resolves once there is no process. */
  whenDown(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isDown) resolve()
      else this.#awaitingEnd.push(resolve)
    })
  }

  #ended(): void {
    for (const told of this.#awaitingEnd.splice(0)) told()
  }

  /** No process is there, and none starts. */
  get isDown(): boolean {
    return !this.host.alive
  }

  /** Its journal, for the same. */
  get journal(): Store['journal'] | undefined {
    return this.#running?.store.journal
  }

  /** The gateway itself, for checks of what no caller can see. */
  get gateway(): Gateway | undefined {
    return this.#running?.gateway
  }

  /** Starts a process. Resolves when it serves; with the error where it does not. */
  start(): Promise<unknown> {
    const host = this.#nextHost()
    this.host = host
    return new Promise((resolve) => {
      this.#starting = () => resolve(new Killed())
      this.world.after(host, 0, () => {
        this.#open(host).then(
          (running) => {
            this.#running = running
            this.world.count('starts of a gateway')
            void running.store.failed.then(() => this.kill(false))
            resolve(undefined)
          },
          (error: unknown) => {
            resolve(error)
            this.kill(false)
          },
        )
      })
    })
  }

  async #open(host: Host): Promise<Running> {
    const { clock } = host
    const product = this.versions.productOf(this.version)
    const version = `0.0.${this.version}`
    const store = await this.storage.open(host, this.version, {
      warn: () => this.world.count('warnings of the store'),
      info: (text) => text.startsWith('retention removed') && this.world.count('retention removed history'),
    })
    // Of an entry: after a restored backup numbers are left out.
    const leftOut = store.gaps.find(({ last }) => last === store.journal.last)
    const newest = leftOut ? leftOut.first - 1 : store.journal.last
    this.lowestAtOpening = Math.min(this.lowestAtOpening, newest)
    const taps = this.taps.clientOf(host, product, store.ownership)
    const { gateway } = await product.openGatewayOver(store, {
      clock,
      openTap: taps.openTap,
      catalogue: product.STANDARD_CATALOGUE,
      admin: ADMIN,
      passwordCost: PASSWORD_COST,
      localSinks: true,
      sinksFolder: `${FOLDER}/sinks`,
      hsmsHost: host.ip,
      node: { name: `node-${this.number}`, version },
    })
    const tls = await this.storage.certificate?.read(host)
    const used = new UsedCertificate(tls)
    const facts = { disk: async () => undefined, certificate: () => used.current }
    const app = await product.buildApp(gateway, { clock, version, facts, ...(tls && { tls }) })
    const renewal = this.#renewalOf(host, (renewed) => used.renew(app.server, renewed))
    if (tls) await this.storage.certificate?.announce(host, tls)
    await completeSockets(app)
    // Node looks by the real time which requests take too long.
    Object.assign(app.server, { headersTimeout: 0, requestTimeout: 0 })
    createServer((socket) => app.server.emit('connection', socket)).listen(API_PORT, host.ip)
    await gateway.nodes.announce(`http://${host.ip}:${API_PORT}`)
    return { host, store, gateway, app, taps, renewal }
  }

  #renewalOf(host: Host, use: (certificate: Certificate) => void): CertificateRenewal | undefined {
    const { certificate } = this.storage
    if (!certificate) return undefined
    return new CertificateRenewal({
      read: () => certificate.read(host),
      use,
      announce: (renewed) => certificate.announce(host, renewed),
      clock: host.clock,
      log: {
        info: () => this.world.count('certificates renewed'),
        error: () => this.world.count('certificates that were refused'),
      },
    })
  }

  /** The process is asked to read its certificate again. */
  hangUp(): void {
    const running = this.#running
    if (running) this.world.after(running.host, 0, () => void running.renewal?.renew())
  }

  /** Kills the process, with the machine's power or without. */
  kill(withPower: boolean): void {
    const { host } = this
    host.alive = false
    this.#running = undefined
    this.#starting()
    this.#stopping()
    this.network.abandon(host, withPower)
    this.storage.abandon(host, withPower)
    if (withPower) this.killTaps(true)
    this.breakCalls()
    this.#ended()
  }

  /** Whoever waits for a response, or follows a stream, gets nothing more. */
  breakCalls(): void {
    for (const end of [...this.#calls]) end(new NoResponse('the connection was reset'))
    this.#calls.clear()
  }

  /** Stops the process in order. Resolves with true where nothing failed. */
  stop(): Promise<boolean> {
    const running = this.#running
    if (!running) return Promise.resolve(false)
    this.#running = undefined
    return new Promise((resolve) => {
      this.#stopping = () => resolve(false)
      this.world.after(running.host, 0, () => {
        const { app, gateway, store, host, taps } = running
        void app
          .close()
          .then(() => gateway.close())
          .finally(() => taps.close())
          .then(() => store.close())
          .then(
            () => true,
            () => false,
          )
          .then((isClean) => {
            host.alive = false
            this.network.abandon(host, false)
            this.storage.abandon(host, false)
            for (const end of [...this.#calls]) end(new NoResponse('the connection was closed'))
            this.#stopping = () => {}
            this.#ended()
            resolve(isClean)
          })
      })
    })
  }

  /** A request over the network. Rejects with `NoResponse`. */
  call(from: Host, options: InjectOptions): Promise<LightMyRequestResponse> {
    return new Promise((resolve, reject) => {
      const { world } = this
      const end = (error: NoResponse): void => {
        this.#calls.delete(end)
        cancel()
        world.after(from, 0, () => reject(error))
      }
      const { host } = this
      const { frozenFor } = host
      const wasFrozen = host.frozenUntil > world.now
      const cancel = world.after(from, CALL_TIMEOUT_MS, () => {
        const isExcused = wasFrozen || host.frozenFor > frozenFor
        end(isExcused ? new NoResponse('the process is stopped') : new TooLate('no response in time'))
      })
      this.#calls.add(end)
      world.after(this.host, this.network.latency(), () => {
        const running = this.#running
        if (!running) return end(new NoResponse('nobody listens'))
        injected(running.app, { ...options, remoteAddress: from.ip }).then(
          (response) => {
            world.after(from, this.network.latency(), () => {
              if (!this.#calls.delete(end)) return
              cancel()
              resolve(response)
            })
          },
          (error: unknown) => world.fail(error),
        )
        return undefined
      })
      // Of a process that is gone nothing runs: the caller learns it by itself.
      if (!this.host.alive) end(new NoResponse('nobody listens'))
    })
  }

  /**
   * A response that does not end by itself. `take` gets its text in pieces; resolves with the status when it has ended,
   * or the caller has left, and rejects with `NoResponse` where the process is gone.
   */
  stream(
    from: Host,
    options: InjectOptions,
    take: (text: string) => void,
    leaves?: Promise<unknown>,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const { world } = this
      const end = (error: NoResponse): void => {
        this.#calls.delete(end)
        world.after(from, 0, () => reject(error))
      }
      this.#calls.add(end)
      world.after(this.host, this.network.latency(), () => {
        const running = this.#running
        if (!running) return end(new NoResponse('nobody listens'))
        injected(running.app, { ...options, payloadAsStream: true }).then(
          (response) => {
            const body = response.stream()
            void leaves?.then(() =>
              world.after(running.host, this.network.latency(), () => response.raw.res.destroy()),
            )
            // One at a time, so that pieces stay in order.
            let taken: Promise<void> = Promise.resolve()
            body.setEncoding('utf8')
            body.on('data', (text: string) => {
              taken = taken
                .then(() => new Promise<void>((next) => world.after(from, 0, next)))
                .then(() => take(text))
            })
            body.on('error', () => {})
            body.on('close', () => {
              void taken.then(() => {
                world.after(from, 0, () => {
                  if (this.#calls.delete(end)) resolve(response.statusCode)
                })
              })
            })
          },
          (error: unknown) => world.fail(error),
        )
        return undefined
      })
      if (!this.host.alive) end(new NoResponse('nobody listens'))
    })
  }

  #nextHost(): Host {
    this.#processes += 1
    const host = new Host(
      `gateway ${this.number} process ${this.#processes}`,
      `10.0.0.${this.number}`,
      this.world,
    )
    host.skew = this.#skew
    return host
  }
}

/**
 * What `app.inject` does. The bytes that responses write to their sockets are thrown away there in turns of the event
 * loop, four for each event of a stream: here at once.
 */
const injected = (app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> =>
  inject((request, response) => {
    const write = (_piece: unknown, _encoding: unknown, taken: () => void): void => taken()
    Object.assign(response.socket as Socket, { _write: write })
    app.routing(request, response)
  }, options)

/** The sockets of injected requests lack what a stream asks of its socket. */
async function completeSockets(app: FastifyInstance): Promise<void> {
  const { raw } = await app.inject({ method: 'GET', url: '/livez' })
  Object.assign(Object.getPrototypeOf(raw.req.socket), { setKeepAlive: () => {}, setTimeout: () => {} })
}
