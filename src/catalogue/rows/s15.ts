import { both, equipment, host, stream } from '../message-row.js'

const RESULT = '<L <RMACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>'
const ATTRIBUTES = '<L ATTRIBUTES... <L <RCPATTRID> <RCPATTRDATA>>>'
/** The generic section, the body, and the sections of agents. */
const SECTIONS = `<L <L? <RCPSECNM> ${ATTRIBUTES}> <RCPBODY> <L SECTIONS... <L <RCPSECNM> ${ATTRIBUTES}>>>`
const CHANGE = '<L <RCPID> <RCPNEWID> <RMSEGSPEC> <RMCHGTYPE> <OPID> <TIMESTAMP> <RMREQUESTOR>>'

/** Stream 15: recipes, in recipe namespaces and their distributed kind (DRNS) (SEMI E42). */
export const STREAM_15 = stream(
  {
    'ifab, hume': 'F1-F10 F13-F20 F31-F32 F37-F40 F42-F48',
    'hume, ifab': 'F11-F12 F21-F30 F33-F36',
    ifab: 'F41',
    hume: 'F49-F54',
  },
  both('S15F1 W', 'Recipe Management Multi-block Inquire', '<L <DATAID> <RCPSPEC> <RMDATASIZE>>'),
  both('S15F2', 'Recipe Management Multi-block Grant', '<RMGRNT>'),
  both('S15F3 W', 'Recipe Namespace Action Request', '<L <RMNSSPEC> <RMNSCMD>>'),
  both('S15F4', 'Recipe Namespace Action Acknowledge', RESULT),
  both('S15F5 W', 'Recipe Namespace Rename Request', '<L <RMNSSPEC> <RMNEWNS>>'),
  both('S15F6', 'Recipe Namespace Rename Acknowledge', RESULT),
  both('S15F7 W', 'Recipe Space Request', '<OBJSPEC>'),
  both('S15F8', 'Recipe Space Data', `<L <RMSPACE> ${RESULT}>`),
  both('S15F9 W', 'Recipe Status Request', '<RCPSPEC>'),
  both('S15F10', 'Recipe Status Data', `<L <RCPSTAT> <RCPVERS> ${RESULT}>`),
  both('S15F11 W', 'Recipe Version Request', '<L <RMNSSPEC> <RCPCLASS> <RCPNAME> <AGENT>>'),
  both('S15F12', 'Recipe Version Data', `<L <AGENT> <RCPVERS> ${RESULT}>`),
  both('S15F13 W', 'Recipe Create Request', `<L <DATAID> <RCPUPDT> <RCPSPEC> ${ATTRIBUTES} <RCPBODY>>`),
  both('S15F14', 'Recipe Create Acknowledge', RESULT),
  both('S15F15 W', 'Recipe Store Request', `<L <DATAID> <RCPSPEC> <RCPSECCODE> ${SECTIONS}>`),
  both('S15F16', 'Recipe Store Acknowledge', `<L <RCPSECCODE> ${RESULT}>`),
  both('S15F17 W', 'Recipe Retrieve Request', '<L <RCPSPEC> <RCPSECCODE>>'),
  both('S15F18', 'Recipe Retrieve Data', `<L ${SECTIONS} ${RESULT}>`),
  both('S15F19 W', 'Recipe Rename Request', '<L <RCPSPEC> <RCPRENAME> <RCPNEWID>>'),
  both('S15F20', 'Recipe Rename Acknowledge', RESULT),
  both('S15F21 W', 'Recipe Action Request', '<L <DATAID> <RCPCMD> <RMNSSPEC> <OPID> <AGENT> <L <RCPID>...>>'),
  both('S15F22', 'Recipe Action Acknowledge', `<L <AGENT> <LINKID> <RCPCMD> ${RESULT}>`),
  both('S15F23 W', 'Recipe Descriptor Request', '<L <DATAID> <OBJSPEC> <L <RCPID>...>>'),
  both('S15F24', 'Recipe Descriptor Data', [
    `<L <L RECIPES... <L DESCRIPTORS... <L? <RCPDESCNM> <RCPDESCTIME> <RCPDESCLTH>>>> ${RESULT}>`,
  ]),
  both('S15F25 W', 'Recipe Parameter Update Request', [
    '<L <DATAID> <RMNSSPEC> <AGENT> <L PARAMS... <L <RCPPARNM> <RCPPARVAL> <RCPPARRULE>>>>',
  ]),
  both('S15F26', 'Recipe Parameter Update Acknowledge', RESULT),
  host('S15F27 W', 'Recipe Download Request', `<L <DATAID> <RCPOWCODE> <RCPSPEC> ${ATTRIBUTES} <RCPBODY>>`),
  equipment('S15F28', 'Recipe Download Acknowledge', `<L <RCPID> ${ATTRIBUTES} ${RESULT}>`),
  host('S15F29 W', 'Recipe Verify Request', '<L <DATAID> <OPID> <RESPEC> <L <RCPID>...>>'),
  equipment('S15F30', 'Recipe Verify Acknowledge', `<L <OPID> <LINKID> <RCPID> ${ATTRIBUTES} ${RESULT}>`),
  host('S15F31 W', 'Recipe Upload Request', '<RCPSPEC>'),
  equipment('S15F32', 'Recipe Upload Data', `<L <RCPSPEC> ${ATTRIBUTES} <RCPBODY> ${RESULT}>`),
  host('S15F33 W', 'Recipe Select Request', [
    '<L <DATAID> <RESPEC> <L RECIPES... <L <RCPID> <L PARAMS... <L <RCPPARNM> <RCPPARVAL>>>>>>',
  ]),
  equipment('S15F34', 'Recipe Select Acknowledge', RESULT),
  host('S15F35 W', 'Recipe Delete Request', '<L <DATAID> <RESPEC> <RCPDEL> <L <RCPID>...>>'),
  equipment('S15F36', 'Recipe Delete Acknowledge', RESULT),
  both('S15F37 W', 'DRNS Segment Approve Action Request', [
    '<L <RMSEGSPEC> <OBJTOKEN> <RMGRNT> <OPID> <RCPID> <RMCHGTYPE>>',
  ]),
  both('S15F38', 'DRNS Segment Approve Action Acknowledge', RESULT),
  both('S15F39 W', 'DRNS Recorder Segment Request', [
    '<L <DATAID> <RMNSCMD> <RMRECSPEC> <RMSEGSPEC> <OBJTOKEN>>',
  ]),
  both('S15F40', 'DRNS Recorder Segment Acknowledge', RESULT),
  both('S15F41 W', 'DRNS Recorder Modify Request', `<L <DATAID> <RMRECSPEC> <OBJTOKEN> <RMNSCMD> ${CHANGE}>`),
  both('S15F42', 'DRNS Recorder Modify Acknowledge', RESULT),
  both('S15F43 W', 'DRNS Get Change Request', '<L <DATAID> <OBJSPEC> <TARGETSPEC>>'),
  both('S15F44', 'DRNS Get Change Request Data', `<L <L CHANGES... ${CHANGE}> ${RESULT}>`),
  both('S15F45 W', 'DRNS Manager Segment Change Approval Request', [
    '<L <DATAID> <RCPSPEC> <RCPNEWID> <RMCHGTYPE>>',
  ]),
  both('S15F46', 'DRNS Manager Segment Approval Acknowledge', '<L <RMCHGTYPE> <RMGRNT> <OPID>>'),
  both('S15F47 W', 'DRNS Manager Rebuild Request', [
    '<L <DATAID> <OBJSPEC> <RMNSSPEC> <RMRECSPEC> <L <RMSEGSPEC>...>>',
  ]),
  both('S15F48', 'DRNS Manager Rebuild Acknowledge', RESULT),
  host('S15F49 W', 'Large Recipe Download Request', '<L <DSNAME> <RCPOWCODE>>'),
  equipment('S15F50', 'Large Recipe Download Acknowledge', '<ACKC15>'),
  host('S15F51 W', 'Large Recipe Upload Request', '<DSNAME>'),
  equipment('S15F52', 'Large Recipe Upload Acknowledge', '<ACKC15>'),
  equipment('S15F53 W', 'Recipe Verification Send', `<L <RCPSPEC> <RCPID> ${RESULT}>`),
  host('S15F54', 'Recipe Verification Acknowledge'),
)
