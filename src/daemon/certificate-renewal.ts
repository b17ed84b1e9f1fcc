import type { Logger } from 'pino'
import { type Certificate, expiryOf, requireUnexpired } from '../api/certificate.js'
import type { Clock } from '../kit/clock.js'

interface RenewalParts {
  /** The files as they are now; undefined where none are named. Throws where they cannot be read. */
  read(): Promise<Certificate | undefined>
  /** New connections use it from now on. Throws for one that is not valid; then the present one stays. */
  use(certificate: Certificate): void
  /** Tells the commands of this machine which one it is. */
  announce(certificate: Certificate): Promise<void>
  readonly log: Pick<Logger, 'info' | 'error'>
  /** One that has expired by it is refused, whatever the present one is. */
  readonly clock: Pick<Clock, 'date'>
}

/**
 * Reads the certificate again each time it is asked to. One reading after the other, and once more where it was asked
 * meanwhile: the files as they were at the last request are used, and announced.
 */
export class CertificateRenewal {
  #running: Promise<void> | undefined
  #again = false

  constructor(readonly parts: RenewalParts) {}

  /** Resolves once nothing is under way. Never rejects. */
  renew(): Promise<void> {
    this.#again = true
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      await this.#once()
    }
    this.#running = undefined
  }

  async #once(): Promise<void> {
    const { parts } = this
    const { log } = parts
    let certificate: Certificate | undefined
    try {
      certificate = await parts.read()
      if (certificate) {
        requireUnexpired(certificate, parts.clock.date())
        parts.use(certificate)
      }
    } catch (error) {
      return log.error({ err: error }, 'certificate refused, the old one stays')
    }
    if (!certificate) return log.info('there is no certificate to renew')
    const ends = expiryOf(certificate)
    const until = ends === undefined ? null : new Date(ends).toISOString()
    try {
      await parts.announce(certificate)
      log.info({ until }, 'certificate renewed')
    } catch (error) {
      log.error({ err: error, until }, 'certificate renewed, but the commands of this machine cannot be told')
    }
  }
}
