import type { PeerCertificate, SecureContextOptions } from 'node:tls'

/** What is trusted instead of the authorities of the system, in PEM. */
interface Trust {
  readonly pem: string
  /** True: it is the certificate of the gateway itself, so that its names do not matter. */
  readonly isOwn: boolean
}

/** By the origin of the gateway. */
const known = new Map<string, Trust>()

const trust = (url: string, pem: string, isOwn: boolean): void =>
  void known.set(new URL(url).origin, { pem, isOwn })

/** From now on the gateway at `url` has to show this certificate. Its issuer and its names are not checked. */
export const trustCertificate = (url: string, certificate: string): void => trust(url, certificate, true)

/** From now on the certificate of the gateway at `url` has to be issued by one of these authorities, and no other. */
export const trustAuthorities = (url: string, certificates: string): void => trust(url, certificates, false)

export interface TrustOptions extends SecureContextOptions {
  readonly checkServerIdentity?: (host: string, peer: PeerCertificate) => Error | undefined
  readonly rejectUnauthorized?: boolean
}

/** The TLS options for the gateway at this origin; empty where the system's trust store decides. */
export async function trustOf(origin: string): Promise<TrustOptions> {
  const trusted = known.get(origin)
  if (trusted === undefined) return {}
  const { pem, isOwn } = trusted
  // The authority may be an intermediate one.
  const authorities = { ca: pem, allowPartialTrustChain: true }
  if (!isOwn) return authorities
  const [{ X509Certificate }, { checkServerIdentity }] = await Promise.all([
    import('node:crypto'),
    import('node:tls'),
  ])
  const { raw } = new X509Certificate(pem)
  return {
    ...authorities,
    checkServerIdentity: (host, peer) => (raw.equals(peer.raw) ? undefined : checkServerIdentity(host, peer)),
  }
}
