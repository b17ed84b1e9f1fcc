import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { createSecureContext, Server as TlsServer } from 'node:tls'

/** A certificate chain and its private key, PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export const MIN_TLS = 'TLSv1.2'

/** Throws unless it is a chain and the key of its first certificate. */
export function requireCertificate(certificate: Certificate): void {
  createSecureContext(certificate)
  // Without any text both are taken above, and then no handshake succeeds.
  new X509Certificate(certificate.cert)
  createPrivateKey(certificate.key)
}

/** When the certificate expired; undefined where it has not at this time. That of an authority in the chain clients may not need. */
export function expiredAt({ cert }: Pick<Certificate, 'cert'>, at: Date): string | undefined {
  const end = new Date(new X509Certificate(cert).validTo)
  return end <= at ? end.toISOString() : undefined
}

/** Throws where the certificate has expired at this time, with when it did. */
export function requireUnexpired(certificate: Pick<Certificate, 'cert'>, at: Date): void {
  const expired = expiredAt(certificate, at)
  if (expired !== undefined) throw new Error(`the certificate expired at ${expired}`)
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * When the first certificate of the chain to end does so, in milliseconds since 1970. One that cannot be read, which
 * TLS takes where it is not the first, is left out.
 */
export function expiryOf({ cert }: Pick<Certificate, 'cert'>): number | undefined {
  const ends = (cert.match(PEM_CERTIFICATE) ?? []).flatMap((pem) => {
    try {
      return [Date.parse(new X509Certificate(pem).validTo)]
    } catch {
      return []
    }
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/**
 * Uses another certificate for new connections. Throws if it is not valid, or if the server has no TLS; the server
 * then keeps the certificate that it has.
 */
export function renewCertificate(server: HttpServer | TlsServer, certificate: Certificate): void {
  if (!(server instanceof TlsServer)) throw new Error('this server speaks without TLS')
  const context = { ...certificate, minVersion: MIN_TLS } as const
  // The server forgets half of the old certificate before it finds out that the new one is none.
  requireCertificate(certificate)
  server.setSecureContext(context)
}

/** The certificate that new connections to a server use; undefined without TLS. */
export class UsedCertificate {
  constructor(public current: Certificate | undefined) {}

  /** The same as `renewCertificate`. */
  renew(server: HttpServer | TlsServer, certificate: Certificate): void {
    renewCertificate(server, certificate)
    this.current = certificate
  }
}
