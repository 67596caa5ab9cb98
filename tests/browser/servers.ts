// Where the servers of these tests are. `YIBU_URL` names one that runs already and stands in for both.
const port = Number(process.env.YIBU_PORT ?? 8471);
const at = (offset: number) => `http://127.0.0.1:${port + offset}`;

/** Runs already; undefined when the tests start servers of their own. */
export const RUNNING = process.env.YIBU_URL;
/** With house players, who fill tables within seconds. */
export const HOUSE = RUNNING ?? at(0);
/** People alone: a vacant seat waits for whoever the test sends. */
export const PEOPLE = RUNNING ?? at(1);
