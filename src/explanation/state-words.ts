import {
  COMMUNICATION_STATES,
  CONNECTION_STATES,
  CONTROL_STATES,
  type CommunicationState,
  type ConnectionState,
  type ControlState,
  type Equipment,
  MODES,
} from '../contract/equipment.js'
import { advice, type Entry, type Explanation } from './explanation.js'

type Words = Pick<Explanation, 'meaning' | 'next' | 'commands'>

const state = (meaning: string, next: string, ...commands: readonly string[]): Words => ({
  meaning,
  ...advice(next, ...commands),
})

const SHOW = 'secsctl equipment show EQ'
const CONNECT = 'secsctl equipment connect EQ --wait 30s'

const CONNECTION: Readonly<Record<ConnectionState, Words>> = {
  NOT_CONNECTED: state(
    'There is no TCP connection.',
    'If it is not meant to be connected, connect it. If it is, the gateway dials again after T5: the last error says why it failed.',
    SHOW,
    CONNECT,
  ),
  CONNECTING: state(
    'The gateway dials the equipment.',
    'A moment is usual. One that stays so has an address that does not answer.',
    SHOW,
  ),
  LISTENING: state(
    'The gateway waits for the equipment to dial in.',
    'Nothing comes until the equipment dials: check the address and port of the host there. One that itself listens is registered as passive.',
    SHOW,
    'secsctl equipment update EQ --mode passive',
  ),
  NOT_SELECTED: state(
    'TCP is up, and HSMS has not selected the session.',
    'A moment is usual. The side that dialled sends Select.req; T6 and T7 end one that comes to nothing.',
    'secsctl wire tail EQ',
    SHOW,
  ),
  SELECTED: state(
    'HSMS is up: data messages may pass.',
    'Nothing is wrong here. GEM has its own state: COMMUNICATING once S1F13 is accepted.',
    SHOW,
  ),
}

const COMMUNICATION: Readonly<Record<CommunicationState, Words>> = {
  DISABLED: state(
    'Communication is not wanted: nobody has connected the equipment.',
    'Connect it when it should be.',
    CONNECT,
  ),
  NOT_COMMUNICATING: state(
    'Communication is wanted, and there is no selected connection.',
    'Look at the connection first: its last error says why there is none.',
    SHOW,
  ),
  WAIT_CRA: state(
    'S1F13 has been sent, and S1F14 has not come.',
    'A moment is usual. One that stays so until T3 has another device ID, or no GEM behind its HSMS.',
    'secsctl messages list --equipment EQ --message S1F13 --limit 5',
  ),
  WAIT_DELAY: state(
    'S1F13 failed, and is tried again after the establish delay.',
    'See what the equipment answered. Its operator may have disabled communication.',
    'secsctl messages list --equipment EQ --limit 5',
    SHOW,
  ),
  COMMUNICATING: state(
    'S1F13 is accepted: any message may be sent.',
    'Nothing is wrong here. Whether commands are taken depends on the control state.',
    SHOW,
  ),
}

const ONLINE = 'secsctl equipment online EQ'

const CONTROL: Readonly<Record<ControlState, Words>> = {
  UNKNOWN: state(
    'The equipment has not told whether it is local or remote, or whether it is online at all.',
    'Ask it: S1F2 as an answer to S1F1 comes from one that is online, S1F0 from one that is offline.',
    'secsctl equipment check EQ',
    'secsctl send EQ S1F1',
    ONLINE,
  ),
  EQUIPMENT_OFFLINE: state(
    'Offline by the will of the equipment.',
    'It aborts all but S1F13 and S1F17. Ask it to go online; one that refuses is kept offline by its operator, who has to change it there.',
    ONLINE,
  ),
  ATTEMPT_ONLINE: state('It tries to go online.', 'A moment is usual.', SHOW),
  HOST_OFFLINE: state('Offline because the host asked for it.', 'Ask it to go online.', ONLINE),
  ONLINE_LOCAL: state(
    'Online, under the control of its operator.',
    'It reports, and takes few commands or none. Its operator changes it to remote.',
    'secsctl equipment wait EQ --for online-remote',
  ),
  ONLINE_REMOTE: state(
    'Online, and takes commands from the host.',
    'Nothing is wrong here.',
    'secsctl command EQ START',
  ),
}

const HEALTH: Readonly<Record<Exclude<Equipment['health'], 'ok'>, Words>> = {
  degraded: state(
    'As the health of an equipment: it is connecting, or within the last 15 minutes it had an error, T3 or T6 timeouts, or slow replies.',
    'The reason is in its record. Look at the connection and at the messages that got no reply.',
    SHOW,
    'secsctl equipment check EQ',
    'secsctl equipment traffic EQ',
  ),
  failing: state(
    'As the health of an equipment: it should be connected and messages cannot be exchanged with it, or it has not replied to the last messages within T3.',
    'The reason is in its record. An equipment that is SELECTED and does not reply often has a host program of its own that hangs: look at it there.',
    SHOW,
    'secsctl equipment check EQ',
    'secsctl wire tail EQ',
  ),
}

const MODE: Readonly<Record<(typeof MODES)[number], Words>> = {
  passive: state(
    'The side that listens for the TCP connection. As the mode of an equipment: it listens, and the gateway dials it.',
    'One side has to dial: two that are passive wait for ever, two that are active never meet.',
    SHOW,
    'secsctl equipment update EQ --mode active',
  ),
  active: state(
    'The side that dials, and sends Select.req. As the mode of an equipment: it dials in, and the gateway listens on its port for its address alone.',
    'One side has to dial: two that are passive wait for ever, two that are active never meet.',
    SHOW,
    'secsctl equipment update EQ --mode passive',
  ),
}

const entries = <Word extends string>(
  words: readonly Word[],
  kind: string,
  table: Readonly<Record<Word, Words>>,
): Entry[] => words.map((word) => ({ word, kind, facts: [], also: [], ...table[word] }))

/** Every state that an equipment is shown in, and the two roles. */
export const stateWords = (): readonly Entry[] => [
  ...entries(CONNECTION_STATES, 'connection state', CONNECTION),
  ...entries(COMMUNICATION_STATES, 'communication state', COMMUNICATION),
  ...entries(CONTROL_STATES, 'control state', CONTROL),
  ...entries(['degraded', 'failing'], 'health', HEALTH),
  ...entries(MODES, 'role', MODE),
]
