// The explorer of development mode: sends what stands in the two fields, shows what comes back.
// Knows nothing of the game beyond the sample steps.
"use strict";

const byId = (id) => document.getElementById(id);
const key = () => crypto.randomUUID();
let socket = null;

const BOARD = `id phase role mySeat seatsTaken seatsReady version privateVersion
    turn { seat kind deadline }
    legalMoves { from to }`;

const STEPS = [
  ["1 Code", `mutation Code($input: RequestCodeInput!) {\n  requestCode(input: $input) { userErrors { code message } }\n}`,
    () => ({ input: { email: "me@example.org" } })],
  ["2 Register", `mutation Register($input: RegisterInput!) {\n  register(input: $input) { viewer { player { nickname } } userErrors { code field message } }\n}`,
    () => ({ input: { email: "me@example.org", code: "", nickname: "", password: "" } })],
  ["3 Match", `mutation Match($input: MatchNewGameInput!) {\n  matchNewGame(input: $input) {\n    match { ${BOARD} }\n    userErrors { code message }\n  }\n}`,
    () => ({ input: { idempotencyKey: key() } })],
  ["4 Ready", `mutation Ready($input: ReadyInput!) {\n  ready(input: $input) {\n    match { ${BOARD} }\n    userErrors { code message }\n  }\n}`,
    () => ({ input: { idempotencyKey: key(), matchId: known(), expectedVersion: shown("privateVersion") } })],
  ["5 Look", `query Look($id: ID!) {\n  match(id: $id) {\n    ${BOARD}\n    board { at seat identity faceDown }\n  }\n}`,
    () => ({ id: known() })],
  ["6 Move", `mutation Move($input: MoveInput!) {\n  move(input: $input) {\n    match { ${BOARD} }\n    userErrors { code message }\n  }\n}`,
    () => ({ input: { idempotencyKey: key(), matchId: known(), expectedVersion: shown("version"), from: "", to: "" } })],
  ["7 Watch", `subscription Watch($id: ID!) {\n  match(id: $id) { ${BOARD} }\n}`, () => ({ id: known() })],
];

/** The match that the last answer told of. */
const known = () => /"id": "([^"]+)",\s+"phase"/.exec(byId("answer").textContent)?.[1] ?? sessionStorage.getItem("match") ?? "";

/** A number that the last answer told. */
const shown = (name) => Number(new RegExp(`"${name}": (\\d+)`).exec(byId("answer").textContent)?.[1] ?? 0);

const state = (text, bad) => {
  byId("state").textContent = text;
  byId("state").className = bad ? "bad" : "";
};

const show = (value) => {
  byId("answer").textContent = JSON.stringify(value, null, 2);
  if (known()) sessionStorage.setItem("match", known());
};

const request = () => {
  const variables = JSON.parse(byId("variables").value || "{}");
  return { query: byId("query").value, variables };
};

const run = async () => {
  try {
    state("…");
    const answer = await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request()),
    });
    show(await answer.json());
    state(String(answer.status), !answer.ok);
  } catch (error) {
    state(String(error), true);
  }
};

const watch = () => {
  try {
    const payload = request();
    socket?.close();
    socket = new WebSocket(`${location.origin.replace("http", "ws")}/graphql/ws`, "graphql-transport-ws");
    const own = socket;
    own.onopen = () => own.send(JSON.stringify({ type: "connection_init" }));
    own.onclose = (event) => own === socket && state(`closed ${event.code}`, event.code !== 1000);
    own.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "connection_ack") {
        state("live");
        own.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
      } else if (message.type === "ping") {
        own.send(JSON.stringify({ type: "pong" }));
      } else if (message.type === "complete") {
        state("complete");
      } else if (message.payload) {
        show(message.payload);
      }
    };
  } catch (error) {
    state(String(error), true);
  }
};

for (const [name, query, variables] of STEPS) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.onclick = () => {
    byId("query").value = query;
    byId("variables").value = JSON.stringify(variables(), null, 2);
  };
  byId("steps").append(button);
}
byId("run").onclick = run;
byId("watch").onclick = watch;
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
byId("steps").firstElementChild.click();
