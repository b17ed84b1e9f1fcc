import type { PeerCertificate, SecureContextOptions } from 'node:tls'

/** Certificates (PEM) that are known to be a gateway's own, by its origin. */
const known = new Map<string, string>()

/** From now on the gateway at `url` has to show this certificate. Its issuer and its names are not checked. */
export const trustCertificate = (url: string, certificate: string): void =>
  void known.set(new URL(url).origin, certificate)

export interface TrustOptions extends SecureContextOptions {
  readonly checkServerIdentity?: (host: string, peer: PeerCertificate) => Error | undefined
  readonly rejectUnauthorized?: boolean
}

/** The TLS options for the gateway at this origin; empty where the system's trust store decides. */
export async function trustOf(origin: string): Promise<TrustOptions> {
  const certificate = known.get(origin)
  if (certificate === undefined) return {}
  const [{ X509Certificate }, { checkServerIdentity }] = await Promise.all([
    import('node:crypto'),
    import('node:tls'),
  ])
  const { raw } = new X509Certificate(certificate)
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: (host, peer) => (raw.equals(peer.raw) ? undefined : checkServerIdentity(host, peer)),
  }
}
