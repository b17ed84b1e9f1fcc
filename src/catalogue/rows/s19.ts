import { both, equipment, host, stream } from '../message-row.js'

const CONTAINER = '<L <TCID> <L RESULTS... <L <UID> <GETRSPSTAT> <STATUSTXT>>>>'
const MAP = '<L MAP... <L <PDEREF> <RESOLUTION>>>'

/** Stream 19: recipes and parameters as process definition elements (PDE) (SEMI E139). */
export const STREAM_19 = stream(
  'hume',
  both('S19F1 W', 'Get PDE Directory', [
    '<L <L FILTERS... <L <PDEATTRIBUTENAME> <COMPARISONOPERATOR> <PDEATTRIBUTEVALUE>>> <L <PDEATTRIBUTE>...>>',
  ]),
  both('S19F2', 'PDE Directory Data', [
    '<L <DIRRSPSTAT> <STATUSTXT> <L ELEMENTS... <L <UID> <L ATTRIBUTES... <L <PDEATTRIBUTE> <PDEATTRIBUTEVALUE>>>>>>',
  ]),
  host('S19F3 W', 'PDE Delete Request', '<L <UID>...>'),
  equipment('S19F4', 'PDE Delete Acknowledge', '<L RESULTS... <L <UID> <DELRSPSTAT> <STATUSTXT>>>'),
  both('S19F5 W', 'PDE Header Data Request', '<L <UID>...>'),
  both('S19F6', 'PDE Header Data Reply', CONTAINER),
  both('S19F7 W', 'PDE Transfer Request', '<L <UID>...>'),
  both('S19F8', 'PDE Transfer Reply', CONTAINER),
  both('S19F9 W', 'Request to Send PDE', '<L <TCID> <TRANSFERSIZE>>'),
  both('S19F10', 'Initiate PDE Transfer Reply', '<L <TCID> <RTSRSPSTAT> <STATUSTXT>>'),
  both('S19F11 W', 'Send PDE', '<TCID>'),
  both('S19F12', 'Send PDE Acknowledge'),
  both('S19F13 W', 'Transfer Container Report', [
    '<L RESULTS... <L <UID> <SENDRSPSTAT> <VERIFYRSPSTAT> <STATUSTXT>>>',
  ]),
  both('S19F14', 'Transfer Container Report Acknowledge'),
  host('S19F15 W', 'Request PDE Resolution', `<L <TARGETPDE> ${MAP}>`),
  equipment('S19F16', 'PDE Resolution Data', `<L ${MAP} <L RESULTS... <L <UID> <RESPDESTAT> <STATUSTXT>>>>`),
  host('S19F17 W', 'Verify PDE Request', `<L <TARGETPDE> ${MAP} <VERIFYTYPE> <VERIFYDEPTH>>`),
  equipment('S19F18', 'PDE Verification Result', [
    '<L <VERIFYSUCCESS> <L RESULTS... <L <UID> <VERIFYRSPSTAT> <STATUSTXT>>>>',
  ]),
  both('S19F19 W', 'Multi-block Inquire', '<DATALENGTH>'),
  both('S19F20', 'Multi-block Grant', '<GRANT>'),
)
