// Keeps the first page, the replay viewer and the manual, and what pages of this site have loaded, so that they open
// without a network.
// Answers of the API never pass here. Pages come from the network first; hashed files from the store first.
const STORE = 'yibu-1';
/** Their files by language; the build fills them in. */
const NEEDED = {};
/** Files of older builds go when there are more than so many. */
const MOST = 120;
/** Paths that are no pages of the client. */
const OTHERS = /^\/(graphql|dev|schemas|health|metrics|unsubscribe)|\./;
/** What the client's page holds, and no file and no page of something on the way. */
const OURS = /<script [^>]*src="\/assets\/index-[^]*<div id="app">/;

self.addEventListener('install', (event) => {
  event.waitUntil(begin());
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('message', (event) => {
  if (Object.hasOwn(NEEDED, event.data)) event.waitUntil(keep(NEEDED[event.data]));
});

async function begin() {
  const store = await caches.open(STORE);
  await store.add('/favicon.svg');
  if (!(await keepPage(await fetch('/replay')))) throw new TypeError('the page of this site is not reached');
}

/** Keeps the client's page, which is the same for all paths, and tells whether that answer is one. */
async function keepPage(answer) {
  if (!answer.ok || !/^text\/html\b/.test(answer.headers.get('content-type') ?? '')) return false;
  if (!OURS.test(await answer.clone().text())) return false;
  await (await caches.open(STORE)).put('/replay', answer);
  return true;
}

/** Keeps what is not there yet, one after the other: the page comes first. */
async function keep(urls) {
  const store = await caches.open(STORE);
  for (const url of urls) {
    if (!(await store.match(url, { ignoreVary: true }))) await store.add(url).catch(() => {});
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(stored(request));
  else if (request.mode === 'navigate' && !OTHERS.test(url.pathname)) {
    event.respondWith(page(event));
  }
});

async function stored(request) {
  const store = await caches.open(STORE);
  const found = await store.match(request, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    await store.put(request, answer.clone());
    const needed = Object.values(NEEDED).flat();
    const kept = (await store.keys()).filter((one) => {
      const { pathname } = new URL(one.url);
      return pathname.startsWith('/assets/') && !needed.includes(pathname);
    });
    await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST)).map((one) => store.delete(one)));
  }
  return answer;
}

async function page(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keepPage(answer.clone()));
    return answer;
  } catch {
    const store = await caches.open(STORE);
    return (await store.match('/replay', { ignoreVary: true })) ?? Response.error();
  }
}

// A notice was picked: the table of an open page comes to the front, or a new page opens it.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const way = typeof event.notification.data === 'string' ? event.notification.data : '/lobby';
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async (pages) => {
      const page = pages.find((one) => new URL(one.url).pathname === way) ?? pages[0];
      if (!page) return self.clients.openWindow(way);
      await page.focus();
      return new URL(page.url).pathname === way ? page : page.navigate(way);
    }),
  );
});
