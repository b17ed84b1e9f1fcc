import type { CommunicationState, ConnectionState, ControlState, Equipment } from '../contract/equipment.js'
import { type Entry, entriesOf } from './explanation.js'

const CONNECTION: Readonly<Record<ConnectionState, string>> = {
  NOT_CONNECTED: `There is no TCP connection.
    If it is not meant to be connected, connect it. If it is, the gateway dials again after T5: the last error says why it failed.
    secsctl equipment show EQ
    secsctl equipment connect EQ --wait 30s`,
  CONNECTING: `The gateway dials the equipment.
    This state usually takes a moment. If it lasts, the address does not respond.
    secsctl equipment show EQ`,
  LISTENING: `The gateway waits for the equipment to dial in.
    Nothing comes until the equipment dials: check the address and port of the host there. One that itself listens is registered as passive.
    secsctl equipment show EQ
    secsctl equipment update EQ --mode passive`,
  NOT_SELECTED: `TCP is up, and HSMS has not selected the session.
    This state usually takes a moment. The side that dialled sends Select.req; T6 and T7 end a connection that is not selected.
    secsctl wire tail EQ
    secsctl equipment show EQ`,
  SELECTED: `HSMS is up: data messages may pass.
    Nothing is wrong here. GEM has its own state: COMMUNICATING once S1F13 is accepted.
    secsctl equipment show EQ`,
}

const COMMUNICATION: Readonly<Record<CommunicationState, string>> = {
  DISABLED: `Communication is disabled: nobody has connected the equipment.
    Connect it when it should be.
    secsctl equipment connect EQ --wait 30s`,
  NOT_COMMUNICATING: `Communication is enabled, and there is no selected connection.
    Look at the connection first: its last error says why there is none.
    secsctl equipment show EQ`,
  WAIT_CRA: `S1F13 has been sent, and S1F14 has not come.
    This state usually takes a moment. Equipment that stays in it until T3 has another device ID, HSMS without GEM, or a SECS-I line that changes bytes.
    secsctl messages list --equipment EQ --message S1F13 --limit 5`,
  WAIT_DELAY: `S1F13 failed, and is tried again after the establish delay.
    See the reply of the equipment. Its operator may have disabled communication.
    secsctl messages list --equipment EQ --limit 5
    secsctl equipment show EQ`,
  COMMUNICATING: `S1F13 is accepted: any message may be sent.
    Nothing is wrong here. Whether commands are taken depends on the control state.
    secsctl equipment show EQ`,
}

const CONTROL: Readonly<Record<ControlState, string>> = {
  UNKNOWN: `The equipment has not reported whether it is local or remote, or whether it is online at all.
    Ask it: equipment that is online replies to S1F1 with S1F2, equipment that is offline with S1F0.
    secsctl equipment check EQ
    secsctl send EQ S1F1
    secsctl equipment online EQ`,
  EQUIPMENT_OFFLINE: `Offline by decision of the equipment.
    It aborts all but S1F13 and S1F17. Ask it to go online; one that refuses is kept offline by its operator, who has to change it there.
    secsctl equipment online EQ`,
  ATTEMPT_ONLINE: `It tries to go online.
    This state usually takes a moment.
    secsctl equipment show EQ`,
  HOST_OFFLINE: `Offline because the host asked for it.
    Ask it to go online.
    secsctl equipment online EQ`,
  ONLINE_LOCAL: `Online, under the control of its operator.
    It reports, and takes few commands or none. Its operator changes it to remote.
    secsctl equipment wait EQ --for online-remote`,
  ONLINE_REMOTE: `Online, and takes commands from the host.
    Nothing is wrong here.
    secsctl command EQ START`,
}

const HEALTH: Readonly<Record<Exclude<Equipment['health'], 'ok'>, string>> = {
  degraded: `As the health of an equipment: it is connecting, or within the last 15 minutes it had an error, T3 or T6 timeouts, or slow replies; or it does not have the event reports that were applied, or the first ones could not be applied.
    The reason is in its record. Look at the connection and at the messages that got no reply.
    secsctl equipment show EQ
    secsctl equipment check EQ
    secsctl equipment traffic EQ`,
  failing: `As the health of an equipment: it should be connected and messages cannot be exchanged with it, or it has not replied to the last messages within T3.
    The reason is in its record. An equipment that is SELECTED and does not reply often has a host program of its own that hangs: look at it there.
    secsctl equipment show EQ
    secsctl equipment check EQ
    secsctl wire tail EQ`,
}

const MODE: Readonly<Record<Equipment['mode'], string>> = {
  passive: `The side that listens for the TCP connection. As the mode of an equipment: it listens, and the gateway dials it.
    One side has to dial: two passive sides wait for ever, two active sides never connect.
    secsctl equipment show EQ
    secsctl equipment update EQ --mode active`,
  active: `The side that dials, and sends Select.req. As the mode of an equipment: it dials in, and the gateway listens on its port for its address alone.
    One side has to dial: two passive sides wait for ever, two active sides never connect.
    secsctl equipment show EQ
    secsctl equipment update EQ --mode passive`,
}

/** Every state that an equipment is shown in, and the two roles. */
export const STATE_WORDS: readonly Entry[] = [
  ...entriesOf('connection state', CONNECTION),
  ...entriesOf('communication state', COMMUNICATION),
  ...entriesOf('control state', CONTROL),
  ...entriesOf('health', HEALTH),
  ...entriesOf('role', MODE),
]
