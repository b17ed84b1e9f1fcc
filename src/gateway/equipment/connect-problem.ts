import type { ConnectionFault, Equipment, LastError } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'

type Remedy = (equipment: Equipment) => string

const address: Remedy = ({ ip_address, port }) =>
  `Check that the equipment is on and listens at ${ip_address}:${port}, or change its ip_address or port.`
const gem: Remedy = () =>
  'Enable communication at the equipment, or set communication to none where it has no S1F13.'
const transport: Remedy = () => 'Set transport to the protocol that the equipment speaks.'
const ids: Remedy = () => 'Set device_id and session_id to those of the equipment.'
const line: Remedy = () =>
  'Check that the equipment is on, its transport, and for SECS-I the baud rate and which end is master.'
const noise: Remedy = () =>
  'Check baud rate, parity and cable of the line; a terminal server has to be in raw mode.'
const other: Remedy = () => 'Check that the equipment is on, and that no other host is connected to it.'

/** What to change, by the fault that ended the last attempt. */
const REMEDIES: Readonly<Partial<Record<ConnectionFault, Remedy>>> = {
  connection_refused: address,
  no_route: address,
  connect_timeout: address,
  listen_failed: ({ port }) => `Change its port, or end the program that has port ${port}.`,
  communication_denied: gem,
  communication_timeout: gem,
  not_hsms: transport,
  not_secs1: transport,
  wrong_device_id: ids,
  wrong_session_id: ids,
  retry_limit: line,
  line_noise: noise,
}

/** Thrown by a connect that waited: the equipment does not communicate yet. It stays wanted, and is tried again. */
export function notConnectedInTime(equipment: Equipment, seconds: number): Problem {
  const { name, last_error, connection_state, communication_state, ip_address, port, timers } = equipment
  const state = `${name} is ${connection_state} and ${communication_state} after ${seconds} s.`
  const remedy = last_error
    ? `${said(last_error)} ${(REMEDIES[last_error.code] ?? other)(equipment)}`
    : connection_state === 'LISTENING'
      ? `It has to connect to port ${port} of the gateway, from ${ip_address}.`
      : communication_state === 'WAIT_CRA'
        ? `S1F13 was sent, and has had no reply yet; T3 is ${timers.t3} s.`
        : 'Wait longer.'
  return new Problem('not_connected_in_time', `${state} ${remedy} The gateway keeps trying.`)
}

const said = ({ code, detail }: LastError): string => `Last error: ${code}, ${detail}.`
