import { equipment, host, stream } from '../message-row.js'

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
export const STREAM_16 = stream(
  {
    'bee, hume': 'F1-F6 F8 F10 F12 F17-F18 F20 F22 F26 F30',
    'hume, ifab': 'F7 F9',
    'ifab, hume': 'F11 F15',
    ifab: 'F13 F16',
    bee: 'F14',
    'hume, ifab, xcom': 'F19 F21 F23 F25 F27',
    'bee, ifab': 'F24',
    'hume, xcom': 'F28',
    'bee, ifab, xcom': 'F29',
  },
  host('S16F1 W', 'Multi-block Process Job Data Inquire', '<L <DATAID> <DATALENGTH>>'),
  equipment('S16F2', 'Multi-block Process Job Data Grant', '<GRANT>'),
  host('S16F3 W', 'Process Job Create Request', `<L <DATAID> <MF> <L <MID>...> ${RECIPE} <PRPROCESSSTART>>`),
  equipment('S16F4', 'Process Job Create Acknowledge', `<L <PRJOBID> ${RESULT}>`),
  host('S16F5 W', 'Process Job Command Request', `<L <DATAID> <PRJOBID> <PRCMDNAME> ${PARAMS}>`),
  equipment('S16F6', 'Process Job Command Acknowledge', `<L <PRJOBID> ${RESULT}>`),
  equipment('S16F7 [W]', 'Process Job Alert Notify', `<L <TIMESTAMP> <PRJOBID> <PRJOBMILESTONE> ${RESULT}>`),
  host('S16F8', 'Process Job Alert Confirm'),
  equipment('S16F9 [W]', 'Process Job Event Notify', [
    '<L <PREVENTID> <TIMESTAMP> <PRJOBID> <L VALUES... <L <VID> <V>>>>',
  ]),
  host('S16F10', 'Process Job Event Confirm'),
  host('S16F11 W', 'PRJobCreateEnh', [
    `<L <DATAID> <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START}>`,
    `<L <DATAID> <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START}>`,
    `<L <DATAID> <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START_IN_ITEMS}>`,
    `<L <DATAID> <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START_IN_ITEMS}>`,
  ]),
  equipment('S16F12', 'PRJobCreateEnh Acknowledge', `<L <PRJOBID> ${RESULT}>`),
  host('S16F13 W', 'PRJobDuplicateCreate', [
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL}>> ${RECIPE} ${START}>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS}>> ${RECIPE} ${START}>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL}>> ${RECIPE} ${START_IN_ITEMS}>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS}>> ${RECIPE} ${START_IN_ITEMS}>`,
  ]),
  equipment('S16F14', 'PRJobDuplicateCreate Acknowledge', JOBS_RESULT),
  host('S16F15 W', 'PRJobMultiCreate', [
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START}>>>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START}>>>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL} ${RECIPE} ${START_IN_ITEMS}>>>`,
    `<L <DATAID> <L JOBS... <L <PRJOBID> <MF> ${MATERIAL_IN_ITEMS} ${RECIPE} ${START_IN_ITEMS}>>>`,
  ]),
  equipment('S16F16', 'PRJobMultiCreate Acknowledge', JOBS_RESULT),
  host('S16F17 W', 'PRJobDequeue', '<L <PRJOBID>...>'),
  equipment('S16F18', 'PRJobDequeue Acknowledge', [JOBS_RESULT, `<L JOBS... <L <PRJOBID> ${RESULT}>>`]),
  host('S16F19 W', 'PRGetAllJobs'),
  equipment('S16F20', 'PRGetAllJobs Send', '<L JOBS... <L <PRJOBID> <PRSTATE>>>'),
  host('S16F21 W', 'PRGetSpace'),
  equipment('S16F22', 'PRGetSpace Send', '<PRJOBSPACE>'),
  host('S16F23 W', 'PRJobSetRecipeVariable', '<L <PRJOBID> <L PARAMS... <L <RCPPARNM> <RCPPARVAL>>>>'),
  equipment('S16F24', 'PRJobSetRecipeVariable Acknowledge', RESULT),
  host('S16F25 W', 'PRJobSetStartMethod', '<L <L <PRJOBID>...> <PRPROCESSSTART>>'),
  equipment('S16F26', 'PRJobSetStartMethod Acknowledge', JOBS_RESULT),
  host('S16F27 W', 'Control Job Command Request', '<L <CTLJOBID> <CTLJOBCMD> <L? <CPNAME> <CPVAL>>>'),
  equipment('S16F28', 'Control Job Command Acknowledge', ['<L <ACKA> <L? <ERRCODE> <ERRTEXT>>>', RESULT]),
  host('S16F29 W', 'PRSetMtrlOrder', '<PRMTRLORDER>'),
  equipment('S16F30', 'PRSetMtrlOrder Acknowledge', '<ACKA>'),
)
