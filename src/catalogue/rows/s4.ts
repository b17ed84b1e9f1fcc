import { primary, secondary } from '../message-row.js'

const MATERIAL = '<L <PTN> <MID>>'
const PARAMS = '<L PARAMS... <L <CPNAME> <CPVAL>>>'
const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const TRANSFER_RESULT = `<L <TRACK> ${ERRORS}>`
const HANDOFF_RESULT = `<L <HOACK> ${ERRORS}>`

/** Stream 4: moving material. The messages of a hand-off (SEMI E32) have no replies: each is answered by the next. */
export const STREAM_4 = [
  primary(4, 1, 'Ready to Send Materials', 'both', 'required', {
    structure: MATERIAL,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(4, 2, 'Ready to Send Acknowledge', 'both', {
    structure: '<RSACK>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 3, 'Send Material', 'both', 'forbidden', {
    structure: MATERIAL,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 5, 'Handshake Complete', 'both', 'forbidden', {
    structure: MATERIAL,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 7, 'Not Ready to Send', 'both', 'forbidden', {
    structure: MATERIAL,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 9, 'Stuck in Sender', 'equipment', 'forbidden', { structure: MATERIAL, source: 'bee' }),
  primary(4, 11, 'Stuck in Receiver', 'equipment', 'forbidden', { structure: MATERIAL, source: 'bee' }),
  primary(4, 13, 'Send Incomplete Timeout', 'equipment', 'forbidden', {
    structure: MATERIAL,
    source: 'bee',
  }),
  primary(4, 15, 'Material Received', 'equipment', 'forbidden', { structure: MATERIAL, source: 'bee' }),
  primary(4, 17, 'Request to Receive', 'both', 'required', {
    structure: MATERIAL,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(4, 18, 'Request to Receive Acknowledge', 'both', {
    structure: '<RRACK>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 19, 'Transfer Job Create', 'host', 'required', {
    structure: [
      '<L <DATAID> <L <TRJOBNAME> <L TRANSFERS...',
      '<L <TRLINK> <TRPORT> <TROBJNAME> <TROBJTYPE> <TRROLE> <TRRCP> <TRPTNR> <TRPTPORT>',
      '<TRDIR> <TRTYPE> <TRLOCATION> <TRAUTOSTART>>>>>',
    ].join(' '),
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(4, 20, 'Transfer Job Acknowledge', 'equipment', {
    structure: `<L <TRJOBID> <L <TRATOMICID>...> ${TRANSFER_RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 21, 'Transfer Job Command', 'host', 'required', {
    structure: `<L <TRJOBID> <TRCMDNAME> ${PARAMS}>`,
    source: 'bee',
  }),
  secondary(4, 22, 'Transfer Job Command Acknowledge', 'equipment', {
    structure: TRANSFER_RESULT,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 23, 'Transfer Job Alert', 'equipment', 'optional', {
    structure: `<L <TRJOBID> <TRJOBNAME> <TRJOBMS> ${TRANSFER_RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(4, 24, 'Transfer Job Alert Acknowledge', 'host', {
    structure: '',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 25, 'Multi-block Inquire', 'host', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(4, 26, 'Multi-block Grant', 'equipment', {
    structure: '<GRANT>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 27, 'Handoff Ready', 'both', 'forbidden', {
    structure: [
      '<L <EQNAME> <L <TRLINK> <TRPORT> <TROBJNAME> <TROBJTYPE> <TRROLE> <TRPTNR> <TRPTPORT>',
      '<TRDIR> <TRTYPE> <TRLOCATION>>>',
    ].join(' '),
    source: 'bee',
    confirmedBy: ['ifab'],
  }),
  primary(4, 29, 'Handoff Command', 'both', 'forbidden', {
    structure: `<L <TRLINK> <MCINDEX> <HOCMDNAME> ${PARAMS}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 31, 'Handoff Command Complete', 'both', 'forbidden', {
    structure: `<L <TRLINK> <MCINDEX> ${HANDOFF_RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 33, 'Handoff Verified', 'both', 'forbidden', {
    structure: `<L <TRLINK> ${HANDOFF_RESULT}>`,
    source: 'bee',
    confirmedBy: ['ifab'],
  }),
  primary(4, 35, 'Handoff Cancel Ready', 'both', 'forbidden', {
    structure: '<TRLINK>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 37, 'Handoff Cancel Ready Acknowledge', 'both', 'forbidden', {
    structure: '<L <TRLINK> <HOCANCELACK>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 39, 'Handoff Halt', 'both', 'forbidden', {
    structure: '<TRLINK>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(4, 41, 'Handoff Halt Acknowledge', 'both', 'forbidden', {
    structure: '<L <TRLINK> <HOHALTACK>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
] as const
