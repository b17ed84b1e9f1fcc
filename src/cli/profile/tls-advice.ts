import { Unreachable } from '../../client/failures.js'
import { shellWord } from '../../kit/shell-word.js'
import { shownCertificate } from './shown-certificate.js'

/** An unreachable gateway, with a command to try. */
class Advised extends Unreachable {
  constructor(
    { url, cause, asked }: Unreachable,
    detail: string,
    readonly hint: string,
  ) {
    super(url, detail, cause, asked)
  }
}

const NOT_TRUSTED = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]

/** The same error, with what a look at the server says: its certificate, or that it speaks TLS, or that it does not. */
export async function withTlsAdvice(
  error: Unreachable,
  profile: string | undefined,
  /** As it was typed, without --url. */
  command: string,
): Promise<Unreachable> {
  const { code } = (error.cause ?? {}) as { readonly code?: string }
  const { url } = error
  const { protocol, host, port, hostname } = new URL(url)
  const other = (scheme: string): string => `${command} --url ${scheme}//${host}`
  const isCutOff = /^(ECONNRESET|EPIPE|HPE_\w+)$/.test(code ?? '')
  if (protocol === 'http:' && isCutOff && (await shownCertificate(url)))
    return new Advised(
      error,
      `${host} speaks TLS: its address is https://${host}, not ${url}.`,
      other('https:'),
    )
  if (protocol === 'https:' && code === 'EPROTO')
    return new Advised(
      error,
      `${host} does not speak TLS: its address may be http://${host}, not ${url}.`,
      other('http:'),
    )
  if (!NOT_TRUSTED.includes(code ?? '')) return error
  const shown = await shownCertificate(url)
  if (!shown) return error
  const kept =
    profile === undefined
      ? `add ${shellWord(hostname)} --url ${shellWord(url)}`
      : `update ${shellWord(profile)}`
  const copy = `openssl s_client -connect ${hostname}:${port || 443} </dev/null 2>/dev/null | openssl x509`
  const detail = `The certificate of ${url} is not trusted: ${shown.subject || 'no name'}, SHA-256 ${shown.fingerprint}. If the administrator of the gateway confirms this fingerprint, a profile can trust it.`
  return new Advised(error, detail, `${copy} | secsctl profiles ${kept} --ca-file -`)
}
