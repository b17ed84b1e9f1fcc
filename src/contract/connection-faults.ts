import type { ConnectionFault } from './equipment.js'

/**
 * Why a connection ended or did not come to be, by the code of `last_error`: what it means, what to change, and commands
 * to type. `explain`, the page, and a connect that waited in vain use it.
 */
export const CONNECTION_FAULTS: Readonly<Record<ConnectionFault, string>> = {
  connection_refused: `Nothing listens at the address and port of the equipment.
    Check address and port at the equipment, and that its HSMS is enabled and passive. Some equipment closes its port while another host is connected: end that one.
    secsctl equipment test HOST:PORT
    secsctl equipment show EQ
    secsctl equipment update EQ --address HOST:PORT`,
  no_route: `There is no way through the network to the address.
    Check the address, the cable and the routes of this machine; nothing in HSMS has been said yet.
    secsctl equipment show EQ
    ping HOST`,
  connect_timeout: `No response came from the address.
    The equipment is off, has another address, or a firewall drops what is sent there. Try the port from this machine.
    secsctl equipment show EQ
    secsctl equipment test HOST:PORT`,
  listen_failed: `The gateway cannot listen on the port at which the equipment dials in.
    Another program has the port, or it is below 1024 and this user may not have it. Find the program, or take another port on both sides.
    ss -ltnp
    secsctl equipment update EQ --address HOST:PORT`,
  connection_lost: `The TCP connection ended without a Separate.req.
    The equipment restarted or crashed, or the network broke. The gateway dials again after T5 by itself. One that is lost at regular times hints at a firewall that ends idle connections: a shorter linktest keeps it open.
    secsctl events list --equipment EQ --type connection --limit 10
    secsctl equipment update EQ --timer linktest=20s`,
  separated: `The equipment ended the session in order, with Separate.req.
    Somebody disabled its HSMS, it shuts down, or another host took over. The gateway dials again after T5.
    secsctl events list --equipment EQ --type connection --limit 10`,
  t6: `The equipment did not reply to a control message within T6.
    It accepted the TCP connection and does not speak HSMS on it, or it is overloaded. See what comes over the wire; a longer T6 helps only one that is slow.
    secsctl wire tail EQ
    secsctl equipment update EQ --timer t6=10s`,
  t7: `A connection was not selected within T7.
    Both sides wait for the other to select: both are passive, or the equipment that dialled in never sends Select.req. Look at who dials.
    secsctl equipment show EQ
    secsctl wire tail EQ`,
  t8: `A message stopped in the middle for longer than T8, or came at less than 500 bytes a second for more than six T8.
    The network loses or holds up packets, or the equipment writes a message in pieces. A capture shows which.
    secsctl wire capture EQ --file equipment.pcapng
    secsctl equipment update EQ --timer t8=10s`,
  linktest_timeout: `The equipment did not reply to Linktest.req within T6.
    It hangs, or the network is gone without notice. If the equipment is only busy, set the linktest mode to idle: then any message from it shows that it is alive.
    secsctl equipment show EQ
    secsctl equipment update EQ --linktest-mode idle`,
  select_refused: `The equipment replied to Select.req with a status above 0.
    Most often another host is connected: HSMS-SS takes one. The status in the error says what the equipment thinks of it.
    secsctl explain Select.rsp 1
    secsctl equipment show EQ`,
  bad_frame: `A message announced a length that cannot be: under 10 bytes, or above 16 MiB.
    The peer does not speak HSMS, or lost count within a message. A capture shows the bytes.
    secsctl wire capture EQ --file equipment.pcapng`,
  not_hsms: `The peer there does not speak HSMS.
    The error names what it looks like: SECS-I of a terminal server, or HTTP. The port is another one, or the transport is secs1-tcp.
    secsctl equipment test HOST:PORT
    secsctl equipment update EQ --address HOST:PORT`,
  retry_limit: `SECS-I: the equipment did not take a block, RTY times in addition to the first.
    The error says where it stopped. No EOT after ENQ: the equipment is off, the cable or the terminal server is wrong, or both ends are master. NAK: the line changes bytes; check baud rate and parity, and that a terminal server is in raw mode. The gateway opens the connection again after T5.
    secsctl wire tail EQ
    secsctl equipment test HOST:PORT
    secsctl equipment show EQ`,
  not_secs1: `The peer there does not speak SECS-I.
    The error names what it looks like: HSMS, or a terminal server in Telnet mode, which has to be set to raw TCP. For HSMS, set the transport.
    secsctl equipment test HOST:PORT
    secsctl equipment disconnect EQ
    secsctl equipment update EQ --transport hsms
    secsctl equipment connect EQ`,
  line_noise: `SECS-I: the equipment did not reply to S1F13, and blocks of either side were refused (NAK): the line changes or loses bytes.
    Not the device ID: mend the line first. Compare baud rate and parity (8 data bits, no parity, 1 stop bit), set a terminal server to raw TCP, and look at the cable and its shield.
    secsctl equipment traffic EQ
    secsctl wire tail EQ
    secsctl explain NAK`,
  communication_denied: `The equipment is selected and refuses to communicate: S1F14 with a COMMACK that is not 0, S1F0, a Reject or an error.
    Its operator has disabled GEM communication, or another host has it. The gateway asks again after the establish delay. Equipment that speaks HSMS without GEM takes communication \`none\`.
    secsctl equipment check EQ
    secsctl messages list --equipment EQ --message S1F13 --limit 5
    secsctl explain COMMACK=1
    secsctl equipment update EQ --communication none`,
  wrong_device_id: `The equipment replies under another device ID than it is registered with, so its replies are not accepted.
    The error names the device ID that it has. Disconnect the equipment, set it, and connect again.
    secsctl equipment disconnect EQ
    secsctl equipment update EQ --device-id 1
    secsctl equipment connect EQ`,
  wrong_session_id: `The equipment replies under the session ID of Select.req, 65535, and not under its device ID, so its replies are not accepted.
    It takes the session ID of Select.req for that of the whole session. Disconnect it, give Select.req the device ID as session ID, and connect again.
    secsctl equipment disconnect EQ
    secsctl equipment update EQ --session-id 0
    secsctl equipment connect EQ`,
  communication_timeout: `The equipment did not reply to S1F13 within T3.
    It listens to another device ID, or it has no GEM. Stream 9 messages in the list say which. Over SECS-I look for refused blocks (NAK) first: a line that changes bytes looks the same.
    secsctl equipment check EQ
    secsctl messages list --equipment EQ --limit 5
    secsctl equipment update EQ --device-id 1
    secsctl equipment update EQ --communication none`,
}
