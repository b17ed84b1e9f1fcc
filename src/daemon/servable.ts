import { type Certificate, requireCertificate } from '../api/certificate.js'

export { type Certificate, expiryOf } from '../api/certificate.js'

/** Clear text would leave this machine. */
export class UnsafeAddress extends Error {
  override readonly name = 'UnsafeAddress'
}

export const LOOPBACK = /^(localhost|::1|127(\.[0-9]{1,3}){3})$/

/** Throws `UnsafeAddress`, or what is wrong with the certificate. */
export function requireServable(options: {
  readonly host: string
  readonly tls?: Certificate
  readonly insecureHttp: boolean
}): void {
  const { host, tls, insecureHttp } = options
  if (tls) requireCertificate(tls)
  if (LOOPBACK.test(host) || tls || insecureHttp) return
  throw new UnsafeAddress(
    `${host} is beyond this machine, and tokens would travel in clear text. Give --tls-cert and --tls-key, or --insecure-http where the network is trusted.`,
  )
}
