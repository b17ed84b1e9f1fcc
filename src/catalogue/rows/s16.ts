import { primary, secondary } from '../message-row.js'

/** Carriers with the slots wanted, or substrates by name: MF says which. */
const MATERIAL = '(<L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>> | <L <MID>...>)'
/** Slots, and pauses, as the values of one item: lists and these are both about. */
const MATERIAL_IN_ITEMS = '(<L CARRIERS... <L <CARRIERID> <SLOTID...>>> | <L <MID>...>)'
const RECIPE = '<L <PRRECIPEMETHOD> <RCPSPEC> <L PARAMS... <L <RCPPARNM> <RCPPARVAL>>>>'
const START = '<PRPROCESSSTART> <L <PRPAUSEEVENTID>...>'
const START_IN_ITEMS = '<PRPROCESSSTART> <PRPAUSEEVENTID...>'
const PARAMS = '<L PARAMS... <L <CPNAME> <CPVAL>>>'
const RESULT = '<L <ACKA> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>'
const JOBS_RESULT = `<L <L <PRJOBID>...> ${RESULT}>`

/** Stream 16: process jobs (SEMI E40) and commands to control jobs (SEMI E94). */
export const STREAM_16 = [
  primary(16, 1, 'Multi-block Process Job Data Inquire', 'host', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(16, 2, 'Multi-block Process Job Data Grant', 'equipment', {
    structure: '<GRANT>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 3, 'Process Job Create Request', 'host', 'required', {
    structure: `<L <DATAID> <MF> <L <MID>...> ${RECIPE} <PRPROCESSSTART>>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(16, 4, 'Process Job Create Acknowledge', 'equipment', {
    structure: `<L <PRJOBID> ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 5, 'Process Job Command Request', 'host', 'required', {
    structure: `<L <DATAID> <PRJOBID> <PRCMDNAME> ${PARAMS}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(16, 6, 'Process Job Command Acknowledge', 'equipment', {
    structure: `<L <PRJOBID> ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 7, 'Process Job Alert Notify', 'equipment', 'optional', {
    structure: `<L <TIMESTAMP> <PRJOBID> <PRJOBMILESTONE> ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(16, 8, 'Process Job Alert Confirm', 'host', {
    structure: '',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 9, 'Process Job Event Notify', 'equipment', 'optional', {
    structure: '<L <PREVENTID> <TIMESTAMP> <PRJOBID> <L VALUES... <L <VID> <V>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(16, 10, 'Process Job Event Confirm', 'host', {
    structure: '',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 11, 'PRJobCreateEnh', 'host', 'required', {
    structure: `<L <DATAID> <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START}>`,
    alsoRead: [
      `<L <DATAID> <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START}>`,
      `<L <DATAID> <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START_IN_ITEMS}>`,
      `<L <DATAID> <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START_IN_ITEMS}>`,
    ],
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(16, 12, 'PRJobCreateEnh Acknowledge', 'equipment', {
    structure: `<L <PRJOBID> ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 13, 'PRJobDuplicateCreate', 'host', 'required', {
    structure: `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL}>> ${RECIPE} ${START}>`,
    alsoRead: [
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS}>> ${RECIPE} ${START}>`,
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL}>> ${RECIPE} ${START_IN_ITEMS}>`,
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS}>> ${RECIPE} ${START_IN_ITEMS}>`,
    ],
    source: 'ifab',
  }),
  secondary(16, 14, 'PRJobDuplicateCreate Acknowledge', 'equipment', {
    structure: JOBS_RESULT,
    source: 'bee',
  }),
  primary(16, 15, 'PRJobMultiCreate', 'host', 'required', {
    structure: `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START}>>>`,
    alsoRead: [
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START}>>>`,
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START_IN_ITEMS}>>>`,
      `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START_IN_ITEMS}>>>`,
    ],
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(16, 16, 'PRJobMultiCreate Acknowledge', 'equipment', { structure: JOBS_RESULT, source: 'ifab' }),
  primary(16, 17, 'PRJobDequeue', 'host', 'required', {
    structure: '<L <PRJOBID>...>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(16, 18, 'PRJobDequeue Acknowledge', 'equipment', {
    structure: JOBS_RESULT,
    alsoRead: [`<L JOBS... <L <PRJOBID> ${RESULT}>>`],
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 19, 'PRGetAllJobs', 'host', 'required', {
    structure: '',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 20, 'PRGetAllJobs Send', 'equipment', {
    structure: '<L JOBS... <L <PRJOBID> <PRSTATE>>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 21, 'PRGetSpace', 'host', 'required', {
    structure: '',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 22, 'PRGetSpace Send', 'equipment', {
    structure: '<PRJOBSPACE>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 23, 'PRJobSetRecipeVariable', 'host', 'required', {
    structure: '<L <PRJOBID> <L PARAMS... <L <RCPPARNM> <RCPPARVAL>>>>',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 24, 'PRJobSetRecipeVariable Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'bee',
    confirmedBy: ['ifab'],
  }),
  primary(16, 25, 'PRJobSetStartMethod', 'host', 'required', {
    structure: '<L <L <PRJOBID>...> <PRPROCESSSTART>>',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 26, 'PRJobSetStartMethod Acknowledge', 'equipment', {
    structure: JOBS_RESULT,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(16, 27, 'Control Job Command Request', 'host', 'required', {
    structure: '<L <CTLJOBID> <CTLJOBCMD> <L? <CPNAME> <CPVAL>>>',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 28, 'Control Job Command Acknowledge', 'equipment', {
    structure: '<L <ACKA> <L? <ERRCODE> <ERRTEXT>>>',
    alsoRead: [RESULT],
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(16, 29, 'PRSetMtrlOrder', 'host', 'required', {
    structure: '<PRMTRLORDER>',
    source: 'bee',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(16, 30, 'PRSetMtrlOrder Acknowledge', 'equipment', {
    structure: '<ACKA>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
] as const
