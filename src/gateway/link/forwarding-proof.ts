import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Endpoints } from '../../hsms/capture/wire.js'
import { internetAddress } from '../../hsms/tcp/internet-address.js'
import { type ProxiedConnection, proxyHeader } from '../../hsms/tcp/proxy-header.js'
import { PROOF } from '../../hsms/tcp/proxy-headers.js'

/** How old or new a proof may be, in milliseconds. Both processes go by the time of the store. */
const MAX_AGE_MS = 60_000
/** Proofs that are remembered, so that none is used twice. */
const MAX_USED = 100_000
const TIME_BYTES = 8
const DIGEST_BYTES = 32

/**
 * The headers with which processes of one site hand connections of equipment on to each other. The proof is a TLV, the
 * last one: the time in milliseconds since 1970 (8 bytes), and HMAC-SHA-256 over the id of the process that is to take
 * the connection and the header up to here.
 */
export class ForwardingProof {
  readonly #key: Uint8Array
  /** Digests, each with the time when it may be forgotten; oldest first. */
  readonly #used = new Map<string, number>()

  /** `siteKey`: the key that all processes of the site share. `time`: of the store, in milliseconds since 1970. */
  constructor(
    siteKey: Uint8Array,
    readonly time: { now(): number },
  ) {
    this.#key = createHmac('sha256', siteKey).update('secsctl: forwarded HSMS connections').digest()
  }

  /** The header of a connection with these ends for the process with this id. */
  header({ local, remote }: Endpoints, to: string): Uint8Array {
    const value = Buffer.alloc(TIME_BYTES + DIGEST_BYTES)
    value.writeBigUInt64BE(BigInt(Math.floor(this.time.now())))
    const header = Buffer.from(
      proxyHeader({
        source: internetAddress(remote),
        destination: internetAddress(local),
        extensions: [{ type: PROOF, value }],
      }),
    )
    const end = header.length - DIGEST_BYTES
    header.set(this.#digest(header.subarray(0, end), to), end)
    return header
  }

  /** Why a header is no proof for the process with this id; undefined where it is one, once. */
  fault({ extensions }: ProxiedConnection, header: Uint8Array, to: string): string | undefined {
    const { type, value, offset } = extensions.at(-1) ?? { value: new Uint8Array(), offset: 0 }
    if (type !== PROOF || value.length !== TIME_BYTES + DIGEST_BYTES)
      return 'the proof in its header is damaged'
    const digest = this.#digest(header.subarray(0, offset + TIME_BYTES), to)
    if (!timingSafeEqual(digest, value.subarray(TIME_BYTES))) {
      return 'the proof in its header was not made by a gateway of this site for this process'
    }
    const now = this.time.now()
    const age = now - Number(Buffer.from(value).readBigUInt64BE())
    if (Math.abs(age) > MAX_AGE_MS) {
      return `the proof in its header was made ${Math.round(Math.abs(age) / 1000)} s ${age > 0 ? 'ago' : 'ahead'} by the time of the store`
    }
    return this.#useOnce(digest.toString('latin1'), now)
  }

  #useOnce(digest: string, now: number): string | undefined {
    for (const [used, until] of this.#used) {
      if (until > now) break
      this.#used.delete(used)
    }
    if (this.#used.has(digest)) return 'the proof in its header was used before'
    if (this.#used.size >= MAX_USED) return 'too many connections were forwarded within a short time'
    this.#used.set(digest, now + 2 * MAX_AGE_MS)
    return undefined
  }

  #digest(signed: Uint8Array, to: string): Buffer {
    return createHmac('sha256', this.#key).update(`${to}\n`).update(signed).digest()
  }
}
