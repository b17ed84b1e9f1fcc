import { Type } from 'typebox'
import { nullable, oneOf } from '../../schema.js'

/** What carries the messages: HSMS (SEMI E37), or SECS-I (SEMI E4) over TCP or a serial port. */
export const TRANSPORTS = ['hsms', 'secs1-tcp', 'secs1-serial'] as const
export type Transport = (typeof TRANSPORTS)[number]
/** The ends of a SECS-I line. */
export const LINE_ENDS = ['equipment', 'host'] as const
export const BAUD_RATES = [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const
/** Address and port of equipment that has neither. */
export const NO_ADDRESS = { ip_address: '0.0.0.0', port: 0 } as const

/** A device, so that nobody has the gateway open files. */
const SERIAL_PORT = '^(/dev/[\\w:+@-]+([./][\\w:+@-]+)*|COM[0-9]{1,3})$'

/** Members of an equipment record about what carries its messages. */
export const LINE = {
  transport: oneOf(
    TRANSPORTS,
    'What carries the messages. `hsms` (default): HSMS over TCP (SEMI E37). `secs1-tcp`: SECS-I (SEMI E4) over TCP, as through a terminal server in raw mode; `mode` says who opens the connection. `secs1-serial`: SECS-I over a serial port of the gateway.',
  ),
  serial_port: nullable(
    Type.String({
      maxLength: 256,
      pattern: SERIAL_PORT,
      description:
        'Serial port of the machine of the gateway, a device such as `/dev/ttyUSB0` or `COM3`; only for `secs1-serial`, else null.',
    }),
  ),
  baud_rate: Type.Integer({
    enum: [...BAUD_RATES],
    description:
      'Speed of the serial port in bits per second; default 9600. SEMI E4 has eight data bits, no parity and one stop bit.',
  }),
  rty: Type.Integer({
    minimum: 0,
    maximum: 31,
    description: 'SECS-I: how often a block is sent again (RTY); default 3.',
  }),
  master: oneOf(
    LINE_ENDS,
    'SECS-I: which end sends first where both ask for the line at once; default `equipment`, as in SEMI E4.',
  ),
}
