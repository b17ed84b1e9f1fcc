import { equipment, host, stream } from '../message-row.js'

const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const CARRIER_RESULT = `<L <CAACK> ${ERRORS}>`
const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const PARAMS = '<L PARAMS... <L <PARAMNAME> <PARAMVAL>>>'

/** Stream 3: material status, and carriers (SEMI E87). */
export const STREAM_3 = stream(
  {
    semirs: 'F1-F16',
    'semirs, hume': 'F17-F24',
    'bee, hume': 'F25-F26 F29-F36',
    'bee, xcom': 'F27',
    'bee, hume, xcom': 'F28',
  },
  host('S3F1 W', 'Material Status Request'),
  equipment('S3F2', 'Material Status Data', '<L <MF> <L LOCATIONS... <L <LOC> <QUA> <MID>>>>'),
  host('S3F3 W', 'Time to Completion Request'),
  equipment('S3F4', 'Time to Completion Data', '<L <MF> <L MATERIALS... <L <TTC> <QUA> <MID>>>>'),
  equipment('S3F5 [W]', 'Material Found Send', '<L <MF> <QUA>>'),
  host('S3F6', 'Material Found Acknowledge', '<ACKC3>'),
  equipment('S3F7 [W]', 'Material Lost Send', '<L <MF> <QUA> <MID>>'),
  host('S3F8', 'Material Lost Acknowledge', '<ACKC3>'),
  equipment('S3F9 W', 'Material ID Equate Send', '<L <MID> <EMID>>'),
  host('S3F10', 'Material ID Equate Acknowledge', '<ACKC3>'),
  equipment('S3F11 W', 'Material ID Request', '<PTN>'),
  host('S3F12', 'Material ID Request Acknowledge', '<L <PTN> <MIDRA> <MID>>'),
  host('S3F13 W', 'Material ID Send', '<L <PTN> <MID>>'),
  equipment('S3F14', 'Material ID Acknowledge', '<MIDAC>'),
  host('S3F15 W', 'Materials Multi-block Inquire', '<L <DATAID> <DATALENGTH>>'),
  equipment('S3F16', 'Materials Multi-block Grant', '<GRANT>'),
  host('S3F17 W', 'Carrier Action Request', [
    '<L <DATAID> <CARRIERACTION> <CARRIERID> <PTN> <L ATTRIBUTES... <L <CATTRID> <CATTRDATA>>>>',
  ]),
  equipment('S3F18', 'Carrier Action Acknowledge', CARRIER_RESULT),
  host('S3F19 W', 'Cancel All Carrier Out Request'),
  equipment('S3F20', 'Cancel All Carrier Out Acknowledge', CARRIER_RESULT),
  host('S3F21 W', 'Port Group Definition', '<L <PORTGRPNAME> <ACCESSMODE> <L <PTN>...>>'),
  equipment('S3F22', 'Port Group Definition Acknowledge', CARRIER_RESULT),
  host('S3F23 W', 'Port Group Action Request', `<L <PGRPACTION> <PORTGRPNAME> ${PARAMS}>`),
  equipment('S3F24', 'Port Group Action Acknowledge', CARRIER_RESULT),
  host('S3F25 W', 'Port Action Request', `<L <PORTACTION> <PTN> ${PARAMS}>`),
  equipment('S3F26', 'Port Action Acknowledge', CARRIER_RESULT),
  host('S3F27 W', 'Change Access', '<L <ACCESSMODE> <L <PTN>...>>'),
  equipment('S3F28', 'Change Access Acknowledge', '<L <CAACK> <L ERRORS... <L <PTN> <ERRCODE> <ERRTEXT>>>>'),
  host('S3F29 W', 'Carrier Tag Read Request', '<L <LOCID> <CARRIERSPEC> <DATASEG> <DATALENGTH>>'),
  equipment('S3F30', 'Carrier Tag Read Data', `<L <DATA> ${CARRIER_RESULT}>`),
  host('S3F31 W', 'Carrier Tag Write Data Request', [
    '<L <LOCID> <CARRIERSPEC> <DATASEG> <DATALENGTH> <DATA>>',
  ]),
  equipment('S3F32', 'Carrier Tag Write Data Acknowledge', CARRIER_RESULT),
  host('S3F33 W', 'Cancel All Pod Out Request'),
  equipment('S3F34', 'Cancel All Pod Out Acknowledge', CARRIER_RESULT),
  host(
    'S3F35 W',
    'Reticle Transfer Job Request',
    [
      `<L <JOBACTION> <PODID> <INPTN> <OUTPTN> ${ATTRIBUTES}`,
      `<L REMOVALS... <L <RETICLEID> <RETREMOVEINSTR> ${ATTRIBUTES}>>`,
      '<L PLACEMENTS... <L <RETICLEID> <RETPLACEINSTR>>>>',
    ].join(' '),
  ),
  equipment('S3F36', 'Reticle Transfer Job Acknowledge', `<L <RPMACK> ${ERRORS}>`),
)
