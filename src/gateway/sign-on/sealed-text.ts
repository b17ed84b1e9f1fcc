import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../kit/clock.js'
import { seal, unseal } from '../../store/sealing.js'

interface Dated<T> {
  readonly value: T
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Longer than any text that is sealed here. */
const MAX_LENGTH = 8192

/**
 * Values that go through browsers and command lines, and come back to any daemon of the site. Nobody on the way can read
 * or change them, and they end by themselves: nothing has to be remembered for who only begins.
 */
export class SealedText {
  readonly #key: Uint8Array

  constructor(
    siteKey: Uint8Array,
    readonly clock: Clock,
  ) {
    this.#key = new Uint8Array(hkdfSync('sha256', siteKey, '', 'secsctl sign-on state', 32))
  }

  /** `purpose`: what it is for, and has to be opened as. */
  close<T extends object>(purpose: string, value: T, forMs: number): string {
    const dated: Dated<T> = { value, until: this.clock.date().getTime() + forMs }
    return seal(Buffer.from(JSON.stringify(dated)), this.#key, purpose).toString('base64url')
  }

  /** Undefined for a text that was not made here for this purpose, and for one whose time is over. */
  open<T extends object>(purpose: string, text: string): T | undefined {
    if (text.length > MAX_LENGTH) return undefined
    const content = unseal(Buffer.from(text, 'base64url'), this.#key, purpose)?.toString()
    if (content === undefined) return undefined
    const { value, until } = JSON.parse(content) as Dated<T>
    return this.clock.date().getTime() < until ? value : undefined
  }
}
