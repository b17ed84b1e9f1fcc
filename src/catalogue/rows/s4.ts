import { both, equipment, host, stream } from '../message-row.js'

const MATERIAL = '<L <PTN> <MID>>'
const PARAMS = '<L PARAMS... <L <CPNAME> <CPVAL>>>'
const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const TRANSFER_RESULT = `<L <TRACK> ${ERRORS}>`
const HANDOFF_RESULT = `<L <HOACK> ${ERRORS}>`

/** Stream 4: moving material. The messages of a hand-off (SEMI E32) have no replies: each is answered by the next. */
export const STREAM_4 = stream(
  {
    'bee, hume': 'F1-F7 F17-F20 F22 F24-F26 F29-F31 F35-F41',
    bee: 'F9-F15 F21',
    'hume, ifab': 'F23',
    'bee, ifab': 'F27 F33',
  },
  both('S4F1 W', 'Ready to Send Materials', MATERIAL),
  both('S4F2', 'Ready to Send Acknowledge', '<RSACK>'),
  both('S4F3', 'Send Material', MATERIAL),
  both('S4F5', 'Handshake Complete', MATERIAL),
  both('S4F7', 'Not Ready to Send', MATERIAL),
  equipment('S4F9', 'Stuck in Sender', MATERIAL),
  equipment('S4F11', 'Stuck in Receiver', MATERIAL),
  equipment('S4F13', 'Send Incomplete Timeout', MATERIAL),
  equipment('S4F15', 'Material Received', MATERIAL),
  both('S4F17 W', 'Request to Receive', MATERIAL),
  both('S4F18', 'Request to Receive Acknowledge', '<RRACK>'),
  host(
    'S4F19 W',
    'Transfer Job Create',
    [
      '<L <DATAID> <L <TRJOBNAME> <L TRANSFERS...',
      '<L <TRLINK> <TRPORT> <TROBJNAME> <TROBJTYPE> <TRROLE> <TRRCP> <TRPTNR> <TRPTPORT>',
      '<TRDIR> <TRTYPE> <TRLOCATION> <TRAUTOSTART>>>>>',
    ].join(' '),
  ),
  equipment('S4F20', 'Transfer Job Acknowledge', `<L <TRJOBID> <L <TRATOMICID>...> ${TRANSFER_RESULT}>`),
  host('S4F21 W', 'Transfer Job Command', `<L <TRJOBID> <TRCMDNAME> ${PARAMS}>`),
  equipment('S4F22', 'Transfer Job Command Acknowledge', TRANSFER_RESULT),
  equipment('S4F23 [W]', 'Transfer Job Alert', `<L <TRJOBID> <TRJOBNAME> <TRJOBMS> ${TRANSFER_RESULT}>`),
  host('S4F24', 'Transfer Job Alert Acknowledge'),
  host('S4F25 W', 'Multi-block Inquire', '<L <DATAID> <DATALENGTH>>'),
  equipment('S4F26', 'Multi-block Grant', '<GRANT>'),
  both(
    'S4F27',
    'Handoff Ready',
    [
      '<L <EQNAME> <L <TRLINK> <TRPORT> <TROBJNAME> <TROBJTYPE> <TRROLE> <TRPTNR> <TRPTPORT>',
      '<TRDIR> <TRTYPE> <TRLOCATION>>>',
    ].join(' '),
  ),
  both('S4F29', 'Handoff Command', `<L <TRLINK> <MCINDEX> <HOCMDNAME> ${PARAMS}>`),
  both('S4F31', 'Handoff Command Complete', `<L <TRLINK> <MCINDEX> ${HANDOFF_RESULT}>`),
  both('S4F33', 'Handoff Verified', `<L <TRLINK> ${HANDOFF_RESULT}>`),
  both('S4F35', 'Handoff Cancel Ready', '<TRLINK>'),
  both('S4F37', 'Handoff Cancel Ready Acknowledge', '<L <TRLINK> <HOCANCELACK>>'),
  both('S4F39', 'Handoff Halt', '<TRLINK>'),
  both('S4F41', 'Handoff Halt Acknowledge', '<L <TRLINK> <HOHALTACK>>'),
)
