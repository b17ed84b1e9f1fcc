import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { expiryFinding } from '../../src/cli/doctor/certificate.js'
import type { CertificatePart } from './certificate-files.js'
import { API_PORT, NoResponse } from './gateway-process.js'
import { type MadeCertificate, madeCertificate, numberOf } from './made-certificate.js'
import type { Network } from './network.js'
import { Client, type Site } from './site.js'

const DAY_MS = 24 * 60 * 60_000
/** Milliseconds within which a connection is there, and a daemon has read its certificate, also from a slow disk. */
const IN_TIME_MS = 60_000
/** From so many milliseconds before its end a certificate is noted. */
const SOON_MS = 30 * DAY_MS
/** How often the commands of the machine may not have been told, where the disk was full for a moment. */
const UNTOLD = 3

/** When a certificate ends: soon, at a midnight or beside one, in a month, in a year. In whole seconds, as it has them. */
const ENDS: readonly ((now: number) => number)[] = [
  (now) => now + 5 * 60_000,
  (now) => midnightAfter(now) - 1000,
  (now) => midnightAfter(now),
  (now) => midnightAfter(now) + SOON_MS,
  (now) => now + SOON_MS,
  (now) => now + 365 * DAY_MS,
]

const midnightAfter = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS

/** Of the first daemon of a site. */
export const firstCertificate = (now: number): MadeCertificate =>
  madeCertificate(1, wholeSecond(now + DAY_MS), wholeSecond(now + 2 * DAY_MS))

const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** What somebody is shown who connects. */
interface Shown {
  readonly number: number
  readonly validTo: string
  /** When it ends, or its authority, in milliseconds since 1970. */
  readonly ends: number
}

/** An administrator renews the certificate of the API again and again, and others connect meanwhile. */
export function renewCertificates(site: Site, network: Network): readonly Promise<void>[] {
  const [machine] = site.machines
  if (!machine?.storage.certificate) return []
  const renewals = new Renewals(site, network)
  return [renewals.renew(), renewals.connect()]
}

class Renewals {
  readonly #administrator: Client
  readonly #caller: Client
  /** The number of the newest certificate that was made, and of the newest one that was shown. */
  #made = 1
  #shown = 1

  constructor(
    readonly site: Site,
    readonly network: Network,
  ) {
    this.#administrator = new Client(site, 'certifier')
    this.#caller = new Client(site, 'visitor')
  }

  get #machine() {
    return this.#administrator.machine
  }

  get #files() {
    const { certificate } = this.#machine.storage
    if (!certificate) throw new Error('the gateway has no certificate')
    return certificate
  }

  async renew(): Promise<void> {
    const client = this.#administrator
    const { chance } = client
    const { world, observer } = this.site
    for (;;) {
      await client.rest(30_000, 600_000)
      const now = world.timeOf(client.host)
      const [ends, authorityEnds] = [chance.pick(ENDS)(now), chance.pick(ENDS)(now)].map(wholeSecond)
      this.#made += 1
      const next = madeCertificate(this.#made, ends as number, authorityEnds as number)
      const { faults } = this.site
      const { host } = this.#machine
      const open = await this.#connected(client)
      await this.#replace(next)
      await this.#requireUsed(next)
      const isOpen = open && (await this.#asks(client, open))
      const isUndisturbed = host === this.#machine.host && faults === this.site.faults
      if (isOpen === undefined || !isUndisturbed) continue
      observer.count('connections that stayed open')
      observer.require(isOpen, 'Connections stay open.', () => `renewal ${next.number}`)
    }
  }

  /** Puts both files in place, one after the other, and not always at the first attempt. */
  async #replace(next: MadeCertificate): Promise<void> {
    const { chance } = this.#administrator
    const files = this.#files
    const parts: readonly CertificatePart[] = chance.is(0.5) ? ['cert', 'key'] : ['key', 'cert']
    files.isAmid = true
    for (const part of parts) {
      await this.#hangUpNowAndThen()
      if (chance.is(0.3)) {
        await this.#put(part, next[part].slice(0, chance.pick([0, chance.below(next[part].length)])))
        await this.#hangUpNowAndThen()
        await this.#connects(this.#administrator)
      }
      await this.#put(part, next[part])
    }
    files.isAmid = false
  }

  async #hangUpNowAndThen(): Promise<void> {
    const client = this.#administrator
    if (client.chance.is(0.5)) this.#machine.hangUp()
    await client.sleep(client.chance.pick([0, 1, 5000]) * client.chance.next())
  }

  /** Until it is on the disk, which may be full. */
  async #put(part: CertificatePart, text: string): Promise<void> {
    const client = this.#administrator
    for (;;) {
      try {
        return await this.#files.put(client.host, part, text)
      } catch {
        await client.sleep(client.chance.between(500, 5000))
      }
    }
  }

  async #requireUsed(next: MadeCertificate): Promise<void> {
    const client = this.#administrator
    const { observer } = this.site
    const files = this.#files
    for (let untold = 0; ; ) {
      const { host } = this.#machine
      const { frozenFor } = host
      const runs = (): boolean => this.#machine.gateway !== undefined && host === this.#machine.host
      const hasEnded = (): boolean => next.ends <= this.site.world.timeOf(host)
      const mayBeRefused = hasEnded()
      if (runs()) this.#machine.hangUp()
      const wasThere = runs()
      await client.sleep(IN_TIME_MS)
      if (!wasThere || !runs() || host.frozenFor !== frozenFor) continue
      const shown = await this.#connects(client)
      if (!shown || !runs()) continue
      if (shown.number !== next.number && (mayBeRefused || hasEnded())) {
        observer.count('renewals after their end')
        // By a clock that was ahead it has ended too early, and is used once that is right.
        if (hasEnded() && host.skew <= 0) return
        continue
      }
      observer.require(
        shown.number === next.number,
        'Replace both files, and let the daemon read them again.',
        () => `${shown.number} is shown, and not ${next.number}`,
      )
      const { cert, told } = files.now
      if (cert === told) return
      if (files.disk.isFull) continue
      untold += 1
      observer.require(
        untold < UNTOLD,
        'A certificate that is renewed is trusted by the commands of this machine.',
        () => `they know another one than ${next.number}`,
      )
    }
  }

  /** Connects now and then, and compares what is shown with what is told of it. */
  async connect(): Promise<void> {
    const client = this.#caller
    const { observer, world } = this.site
    for (;;) {
      await client.rest(5000, 60_000)
      const { host } = this.#machine
      const shown = await this.#connects(client)
      if (!shown) continue
      observer.count('certificates that were shown')
      const now = world.timeOf(client.host)
      const { mark } = expiryFinding(shown.validTo, client.host.clock, String)
      const left = Date.parse(shown.validTo) - now
      observer.require(
        mark === (left <= 0 ? 'wrong' : left < SOON_MS ? 'note' : 'ok'),
        "secsctl doctor says when the gateway's certificate has expired, or expires within 30 days.",
        () => `${mark} of one that ends ${shown.validTo}`,
      )
      const told = await this.#told(client)
      const again = told === undefined ? undefined : await this.#connects(client)
      if (again?.number !== shown.number || host !== this.#machine.host) continue
      observer.require(
        told === shown.ends / 1000,
        'When the certificate of the gateway, or one of its chain, expires.',
        () => `${told} of certificate ${shown.number}, which ends ${shown.ends / 1000}`,
      )
    }
  }

  /** The certificate that a new connection is shown; undefined where there is none. */
  async #connects(client: Client): Promise<Shown | undefined> {
    const [lowest, highest] = [this.#shown, this.#made]
    const socket = await this.#connected(client)
    if (!socket) return undefined
    const { serialNumber, valid_to, issuerCertificate } = socket.getPeerCertificate(true)
    socket.destroy()
    const number = numberOf(serialNumber)
    this.site.observer.require(
      number >= lowest && number <= Math.max(highest, this.#made),
      'The daemon does not use a certificate that was replaced.',
      () => `${number} is shown after ${lowest}`,
    )
    this.#shown = Math.max(this.#shown, number)
    const ends = [valid_to, issuerCertificate?.valid_to].flatMap((text) => (text ? [Date.parse(text)] : []))
    return { number, validTo: valid_to, ends: Math.min(...ends) }
  }

  /** A connection with TLS; undefined where nobody listens. */
  #connected(client: Client): Promise<TLSSocket | undefined> {
    const { site } = this
    const { faults } = site
    const { host } = this.#machine
    return new Promise((resolve, reject) => {
      const raw = this.network.connect({ host: host.ip, port: API_PORT })
      const end = (socket?: TLSSocket): void => {
        cancel()
        if (!socket) raw.destroy()
        resolve(socket)
      }
      const refused = ({ message }: Error): void => {
        const isUndisturbed = host.alive && faults === site.faults
        try {
          site.observer.require(
            !isUndisturbed,
            'If a new certificate is not valid, the daemon logs why and keeps the old one.',
            () => message,
          )
        } catch (violation) {
          reject(violation)
        }
        end()
      }
      const cancel = site.world.after(client.host, IN_TIME_MS, () => end())
      raw.on('error', () => end())
      raw.once('connect', () => {
        raw.removeAllListeners('error').on('error', () => {})
        const socket = connectSecurely({ socket: raw, rejectUnauthorized: false })
        socket.on('error', () => {}).once('error', refused)
        socket.once('secureConnect', () => {
          socket.off('error', refused)
          end(socket)
        })
      })
    })
  }

  /**
   * Whether the gateway responds on this connection, which ends with it. Undefined where nothing came: where little
   * happens, minutes pass in one turn of the real event loop, in which Node passes on what TLS has written.
   */
  #asks({ host }: Client, socket: TLSSocket): Promise<boolean | undefined> {
    return new Promise((resolve) => {
      const end = (isThere: boolean | undefined): void => {
        cancel()
        socket.destroy()
        resolve(isThere)
      }
      const cancel = this.site.world.after(host, IN_TIME_MS, () => end(undefined))
      socket.once('data', (bytes: Buffer) => end(bytes.toString().startsWith('HTTP/1.1 200 ')))
      socket.once('close', () => end(false))
      if (socket.destroyed) return end(false)
      socket.write('GET /healthz HTTP/1.1\r\nHost: gateway.fab.example\r\nConnection: close\r\n\r\n')
    })
  }

  /** The end of the certificate as the metrics have it. */
  async #told({ host }: Client): Promise<number | undefined> {
    const headers = { host: 'gateway.fab.example' }
    const response = await this.#machine
      .call(host, { method: 'GET', url: '/metrics', headers })
      .catch((error) => {
        if (error instanceof NoResponse) return undefined
        throw error
      })
    const [, value] =
      /^secsctl_tls_certificate_expiry_timestamp_seconds (\S+)$/m.exec(response?.payload ?? '') ?? []
    return value === undefined ? undefined : Number(value)
  }
}
