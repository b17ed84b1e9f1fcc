/** What the values of ERRCODE mean; from 64 to 32767 and from 65536 on they are the equipment's own. */
export const ERROR_CODES = `0 no error; 1 no such object in the specifier; 2 no such kind of target; 3 no such object;
  4 no such attribute; 5 attribute cannot be written; 6 no such kind of object;
  7 invalid attribute value; 8 syntax error; 9 verification error; 10 validation error;
  11 object ID already in use; 12 wrong parameters; 13 parameters are missing; 14 option not supported;
  15 busy; 16 not available; 17 not valid in this state; 18 no material changed;
  19 material processed in part; 20 all material processed; 21 wrong recipe; 22 failed while processing;
  23 failed while not processing; 24 material is missing; 25 job aborted; 26 job stopped;
  27 job cancelled; 28 recipe in use cannot change; 29 no such event; 30 report ID already in use;
  31 no such report; 32 report not linked; 33 no such trace; 34 trace ID already in use;
  35 too many reports; 36 invalid sample period; 37 group too large; 38 recovery not possible now;
  39 busy with another recovery; 40 no recovery under way; 41 recovery failed; 42 recovery aborted;
  43 invalid table element; 44 no such table element; 45 built in, cannot be deleted; 46 invalid token;
  47 invalid parameter; 48 no such load port; 49 load port in use; 50 carrier is missing;
  32768 will be done later; 32769 cannot be done now; 32770 failed with errors; 32771 invalid command;
  32772 client already connected; 32773 client ID already in use; 32774 invalid kind of client;
  32775 versions are not compatible; 32776 no such client; 32777 ended without success;
  32778 failed, and not safe; 32779 obstacle found; 32780 material not sent; 32781 material not received;
  32782 material lost; 32783 hardware failure; 32784 transfer cancelled`
