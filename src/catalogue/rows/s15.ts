import { primary, secondary } from '../message-row.js'

const RESULT = '<L <RMACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>'
const ATTRIBUTES = '<L ATTRIBUTES... <L <RCPATTRID> <RCPATTRDATA>>>'
/** The generic section, the body, and the sections of agents. */
const SECTIONS = `<L <L? <RCPSECNM> ${ATTRIBUTES}> <RCPBODY> <L SECTIONS... <L <RCPSECNM> ${ATTRIBUTES}>>>`
const CHANGE = '<L <RCPID> <RCPNEWID> <RMSEGSPEC> <RMCHGTYPE> <OPID> <TIMESTAMP> <RMREQUESTOR>>'

/** Stream 15: recipes, in recipe namespaces and their distributed kind (DRNS) (SEMI E42). */
export const STREAM_15 = [
  primary(15, 1, 'Recipe Management Multi-block Inquire', 'both', 'required', {
    structure: '<L <DATAID> <RCPSPEC> <RMDATASIZE>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 2, 'Recipe Management Multi-block Grant', 'both', {
    structure: '<RMGRNT>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 3, 'Recipe Namespace Action Request', 'both', 'required', {
    structure: '<L <RMNSSPEC> <RMNSCMD>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 4, 'Recipe Namespace Action Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 5, 'Recipe Namespace Rename Request', 'both', 'required', {
    structure: '<L <RMNSSPEC> <RMNEWNS>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 6, 'Recipe Namespace Rename Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 7, 'Recipe Space Request', 'both', 'required', {
    structure: '<OBJSPEC>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 8, 'Recipe Space Data', 'both', {
    structure: `<L <RMSPACE> ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 9, 'Recipe Status Request', 'both', 'required', {
    structure: '<RCPSPEC>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 10, 'Recipe Status Data', 'both', {
    structure: `<L <RCPSTAT> <RCPVERS> ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 11, 'Recipe Version Request', 'both', 'required', {
    structure: '<L <RMNSSPEC> <RCPCLASS> <RCPNAME> <AGENT>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 12, 'Recipe Version Data', 'both', {
    structure: `<L <AGENT> <RCPVERS> ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 13, 'Recipe Create Request', 'both', 'required', {
    structure: `<L <DATAID> <RCPUPDT> <RCPSPEC> ${ATTRIBUTES} <RCPBODY>>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 14, 'Recipe Create Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 15, 'Recipe Store Request', 'both', 'required', {
    structure: `<L <DATAID> <RCPSPEC> <RCPSECCODE> ${SECTIONS}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 16, 'Recipe Store Acknowledge', 'both', {
    structure: `<L <RCPSECCODE> ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 17, 'Recipe Retrieve Request', 'both', 'required', {
    structure: '<L <RCPSPEC> <RCPSECCODE>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 18, 'Recipe Retrieve Data', 'both', {
    structure: `<L ${SECTIONS} ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 19, 'Recipe Rename Request', 'both', 'required', {
    structure: '<L <RCPSPEC> <RCPRENAME> <RCPNEWID>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 20, 'Recipe Rename Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 21, 'Recipe Action Request', 'both', 'required', {
    structure: '<L <DATAID> <RCPCMD> <RMNSSPEC> <OPID> <AGENT> <L <RCPID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 22, 'Recipe Action Acknowledge', 'both', {
    structure: `<L <AGENT> <LINKID> <RCPCMD> ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 23, 'Recipe Descriptor Request', 'both', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <L <RCPID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 24, 'Recipe Descriptor Data', 'both', {
    structure: `<L <L RECIPES... <L DESCRIPTORS... <L? <RCPDESCNM> <RCPDESCTIME> <RCPDESCLTH>>>> ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 25, 'Recipe Parameter Update Request', 'both', 'required', {
    structure: '<L <DATAID> <RMNSSPEC> <AGENT> <L PARAMS... <L <RCPPARNM> <RCPPARVAL> <RCPPARRULE>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 26, 'Recipe Parameter Update Acknowledge', 'both', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 27, 'Recipe Download Request', 'host', 'required', {
    structure: `<L <DATAID> <RCPOWCODE> <RCPSPEC> ${ATTRIBUTES} <RCPBODY>>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 28, 'Recipe Download Acknowledge', 'equipment', {
    structure: `<L <RCPID> ${ATTRIBUTES} ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 29, 'Recipe Verify Request', 'host', 'required', {
    structure: '<L <DATAID> <OPID> <RESPEC> <L <RCPID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 30, 'Recipe Verify Acknowledge', 'equipment', {
    structure: `<L <OPID> <LINKID> <RCPID> ${ATTRIBUTES} ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 31, 'Recipe Upload Request', 'host', 'required', {
    structure: '<RCPSPEC>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 32, 'Recipe Upload Data', 'equipment', {
    structure: `<L <RCPSPEC> ${ATTRIBUTES} <RCPBODY> ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 33, 'Recipe Select Request', 'host', 'required', {
    structure: '<L <DATAID> <RESPEC> <L RECIPES... <L <RCPID> <L PARAMS... <L <RCPPARNM> <RCPPARVAL>>>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 34, 'Recipe Select Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 35, 'Recipe Delete Request', 'host', 'required', {
    structure: '<L <DATAID> <RESPEC> <RCPDEL> <L <RCPID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(15, 36, 'Recipe Delete Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(15, 37, 'DRNS Segment Approve Action Request', 'both', 'required', {
    structure: '<L <RMSEGSPEC> <OBJTOKEN> <RMGRNT> <OPID> <RCPID> <RMCHGTYPE>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 38, 'DRNS Segment Approve Action Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 39, 'DRNS Recorder Segment Request', 'both', 'required', {
    structure: '<L <DATAID> <RMNSCMD> <RMRECSPEC> <RMSEGSPEC> <OBJTOKEN>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 40, 'DRNS Recorder Segment Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 41, 'DRNS Recorder Modify Request', 'both', 'required', {
    structure: `<L <DATAID> <RMRECSPEC> <OBJTOKEN> <RMNSCMD> ${CHANGE}>`,
    source: 'ifab',
  }),
  secondary(15, 42, 'DRNS Recorder Modify Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 43, 'DRNS Get Change Request', 'both', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <TARGETSPEC>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 44, 'DRNS Get Change Request Data', 'both', {
    structure: `<L <L CHANGES... ${CHANGE}> ${RESULT}>`,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 45, 'DRNS Manager Segment Change Approval Request', 'both', 'required', {
    structure: '<L <DATAID> <RCPSPEC> <RCPNEWID> <RMCHGTYPE>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 46, 'DRNS Manager Segment Approval Acknowledge', 'both', {
    structure: '<L <RMCHGTYPE> <RMGRNT> <OPID>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 47, 'DRNS Manager Rebuild Request', 'both', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <RMNSSPEC> <RMRECSPEC> <L <RMSEGSPEC>...>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(15, 48, 'DRNS Manager Rebuild Acknowledge', 'both', {
    structure: RESULT,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(15, 49, 'Large Recipe Download Request', 'host', 'required', {
    structure: '<L <DSNAME> <RCPOWCODE>>',
    source: 'hume',
  }),
  secondary(15, 50, 'Large Recipe Download Acknowledge', 'equipment', {
    structure: '<ACKC15>',
    source: 'hume',
  }),
  primary(15, 51, 'Large Recipe Upload Request', 'host', 'required', {
    structure: '<DSNAME>',
    source: 'hume',
  }),
  secondary(15, 52, 'Large Recipe Upload Acknowledge', 'equipment', {
    structure: '<ACKC15>',
    source: 'hume',
  }),
  primary(15, 53, 'Recipe Verification Send', 'equipment', 'required', {
    structure: `<L <RCPSPEC> <RCPID> ${RESULT}>`,
    source: 'hume',
  }),
  secondary(15, 54, 'Recipe Verification Acknowledge', 'host', { structure: '', source: 'hume' }),
] as const
