/** Control characters of SECS-I (SEMI E4): request to send, permission to send, and refusal. */
export const ENQ = 0x05
const EOT = 0x04
const NAK = 0x15

/** Record types of TLS that a server may begin with, and its major version. */
const TLS_ALERT = 0x15
const TLS_HANDSHAKE = 0x16
const TLS_MAJOR = 0x03
/** "Interpret as command", with which a Telnet server begins (RFC 854). */
const IAC = 0xff

/** First lines of text protocols. */
const GREETINGS: readonly (readonly [RegExp, string])[] = [
  [/^SSH-/, 'SSH'],
  // Of some peers four bytes are known, and no more.
  [
    /^(GET |PUT |PRI |(HTTP\/?|POST ?|HEAD ?|OPTI(ONS )?|DELE(TE )?|PATC(H )?|CONN(ECT )?|TRAC(E )?)($|(?<=[ /])))/,
    'HTTP',
  ],
  [/^220[ -].*\bftp/i, 'FTP'],
  [/^220[ -].*\bsmtp/i, 'SMTP'],
  [/^RFB /, 'VNC'],
  [/^(-ERR|-NOAUTH)/, 'Redis'],
  [/^\+OK/, 'POP3'],
  [/^\* OK/, 'IMAP'],
]

/** Of a first line that is shown. */
const MAX_SHOWN_CHARACTERS = 40

/**
 * The protocol of a peer that begins with these bytes, at least one; undefined when they do not show it. HSMS begins with
 * a length, so the caller asks only when they cannot be one.
 */
export function protocolOf(first: Uint8Array): string | undefined {
  const [byte, next] = first
  if (byte === undefined) return undefined
  if ((byte === TLS_ALERT || byte === TLS_HANDSHAKE) && next === TLS_MAJOR) return 'TLS'
  if (saysSecs1(first)) return 'SECS-I'
  if (byte === IAC && next !== undefined && next >= 0xfb) return 'Telnet'
  const line = firstLine(first)
  if (line === undefined) return undefined
  return GREETINGS.find(([begins]) => begins.test(line))?.[1] ?? `text ("${line}")`
}

/** Whether a SECS-I peer may have sent this: ENQ first, or EOT or NAK alone. */
export const saysSecs1 = (first: Uint8Array): boolean =>
  first[0] === ENQ || (first.length === 1 && (first[0] === EOT || first[0] === NAK))

function firstLine(bytes: Uint8Array): string | undefined {
  const [line = ''] = Buffer.from(bytes).toString('latin1').split(/\r?\n/)
  return line.length >= 3 && /^[\x20-\x7e]+$/.test(line) ? line.slice(0, MAX_SHOWN_CHARACTERS) : undefined
}
