PRAGMA foreign_keys=OFF;
PRAGMA application_id=1095914563;
PRAGMA user_version=13;
BEGIN TRANSACTION;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_migration VALUES(1,'accounts','7fb34f6fa44146bf',1795332211);
INSERT INTO schema_migration VALUES(2,'articles','dcd4aa8fd902714f',1795332211);
INSERT INTO schema_migration VALUES(3,'reading','fc9f7bccecf06b1e',1795332211);
INSERT INTO schema_migration VALUES(4,'sources','b74654363258b28a',1795360577);
INSERT INTO schema_migration VALUES(5,'guards','050799eb0fd40d50',1795371505);
INSERT INTO schema_migration VALUES(6,'roles','04dd92d5d703c731',1795375125);
INSERT INTO schema_migration VALUES(7,'checksums','3be6db5ad22dc113',1795380942);
INSERT INTO schema_migration VALUES(8,'confirmation','6ebccfc97ac3c226',1795385000);
INSERT INTO schema_migration VALUES(9,'second_factor','728f8eb6e19c1239',1795388270);
INSERT INTO schema_migration VALUES(10,'search','9a140f9072a2b49b',1795388300);
INSERT INTO schema_migration VALUES(11,'marks','eb17b7f62d59d0c2',1795445931);
INSERT INTO schema_migration VALUES(12,'clients','acc36a4b82fbc6cd',1795449000);
INSERT INTO schema_migration VALUES(13,'source_numbers','32d0ce4d4197d548',1795528157);
CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    -- NFKC, case-folded: the one form in which a name is stored, shown and looked up.
    username TEXT NOT NULL UNIQUE,
    region TEXT NOT NULL CHECK (length(region) = 2),
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    password_changed_at INTEGER NOT NULL
, role TEXT NOT NULL DEFAULT 'reader' CHECK (role IN ('reader', 'editor', 'operator')), disabled_at INTEGER) STRICT;
INSERT INTO user VALUES(1,'ada','SE','$argon2id$v=19$m=65536,t=3,p=1$9QagQ6DKH0d+23Lr0IcHmw$NGYmX7O7M5IFY8rm22icsvD1nHXwdUNyv6AtanuGj1k',1795332211,1795332211,'operator',NULL);
INSERT INTO user VALUES(2,'bea','JP','$argon2id$v=19$m=65536,t=3,p=1$k/aM9bEo5Ujq2i+qU44pPA$vJ1WIfTVF50pckB0Tu4Rl+OlQYa9pfV/6YKLtHLnKDE',1795371532,1795371532,'editor',NULL);
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    -- SHA-256 of the secret half of the token; the secret itself is never stored.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
, origin TEXT NOT NULL DEFAULT '', confirmed_at INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO session VALUES('1e77758714386438',X'3dc3e42c95e17d7541b0f3789ae48c55116ed330b11f454153d1f4bf49743762',1,'articlesctl on vm',1795375126,1795375126,1797967126,'local:0',1795375126);
INSERT INTO session VALUES('635e8fe4cea16838',X'fff61bffb50cc28e058379418a63cb0e48cbb51ff0cda17aaf321b5155fde0d5',1,'articlesctl on vm',1795332212,1795332212,1797924212,'',1795332212);
INSERT INTO session VALUES('6496dc739c5f628b',X'3e1a60179c0b46d7f182280b95dbe62012ff0c3b3d117d96971ccadae97ba3be',1,'articlesctl on vm',1795380942,1795380942,1797972942,'local:0',1795380942);
INSERT INTO session VALUES('a5f3e9c2c490906d',X'79c86f2cb49fc1f9ff4abb338ab8042ba45a8ba83d5d9bd81fe9a5fcf2612495',1,'articlesctl on vm',1795371505,1795371505,1797963505,'local:0',1795371505);
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    user_id INTEGER,
    session_id TEXT,
    client TEXT NOT NULL
, actor TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT '', hash BLOB CHECK (length(hash) = 32)) STRICT;
INSERT INTO audit VALUES(1,1795332211,'registered',1,NULL,'articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(2,1795332212,'loggedIn',1,'635e8fe4cea16838','articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(3,1795371505,'loggedIn',1,'a5f3e9c2c490906d','articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(4,1795371505,'logInFailed',1,NULL,'articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(5,1795371506,'logInFailed',NULL,NULL,'articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(6,1795371532,'registered',2,NULL,'articlesctl on vm','','','',NULL);
INSERT INTO audit VALUES(7,1795375126,'loggedIn',1,'1e77758714386438','articlesctl on vm','','','local:0',X'68874603c1b78c7ce84ac360f00691c9314649bc1bc4686518182bced3f13ebb');
INSERT INTO audit VALUES(8,1795375147,'tokenCreated',1,'1e77758714386438','articlesctl on vm','','bb5cb87ee11298ae, read','local:0',X'850fe8ffcdf192b6b7e72e409b86bb140a29f8c0acf0680b4c958e38d85ac00f');
INSERT INTO audit VALUES(9,1795375147,'roleChanged',2,NULL,'','system:root','editor','',X'c46c49307cda89ac51c2cda0f347edb53e0bb843f2a66c5d5d8b0a4e67d831c0');
INSERT INTO audit VALUES(10,1795375147,'invited',NULL,NULL,'','system:root','','',X'a189a80d576362d357e6964ccd106cf6167af9542240040581f173e88a015eb7');
INSERT INTO audit VALUES(11,1795375147,'resetIssued',2,NULL,'','system:root','','',X'3fdd7b5af157e041287f0e377b4e531bbb2ad69f38f06541e1f853741df8c473');
INSERT INTO audit VALUES(12,1795380942,'loggedIn',1,'6496dc739c5f628b','articlesctl on vm','','','local:0',X'960dd202165579e549981e8749db1e578a4b2b3eea150016f70f16b36de0db04');
INSERT INTO audit VALUES(13,1795380961,'libraryChanged',NULL,NULL,'articlesctl on vm','system:root','seed: 1 inserted, 0 updated, 0 unchanged, 0 rejected','',X'6143e6ed68682794b89638eb127a946f0a1255b4e108c1b1fdc8ac6210dfc82e');
INSERT INTO audit VALUES(14,1795445931,'loggedIn',1,'d35e4d6cf4751f0e','articlesctl on vm','','','local:0',X'4635292993a982c81cf863a628d5059f7d6e035fe0b8a2ed3138d5273cac3b80');
INSERT INTO audit VALUES(15,1795445949,'loggedOut',1,'d35e4d6cf4751f0e','articlesctl on vm','','','local:0',X'9295af3fbbcbde4c423ba9299deb1a670a1f61cbee2975553e9a6c546ce01766');
CREATE TABLE article_body (
    article_id INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    format TEXT NOT NULL CHECK (format IN ('markdown', 'html', 'plain')),
    source_url TEXT,
    -- What the source said and no column holds, as a JSON object.
    extra TEXT NOT NULL,
    -- Last, so that what comes before it is read without walking through it.
    body TEXT NOT NULL
, base_url TEXT, checksum INTEGER) STRICT;
INSERT INTO article_body VALUES(1,'markdown','https://example.org/welcome','{"layout":"post"}',replace('First paragraph with *emphasis* and 🏳️‍🌈.\n\nSecond paragraph.\n','\n',char(10)),NULL,NULL);
INSERT INTO article_body VALUES(2,'html',NULL,'{}',replace('<title>A page</title><p>Text of a page.</p>\n','\n',char(10)),NULL,NULL);
INSERT INTO article_body VALUES(3,'markdown',NULL,'{"score":1.0e3}',CAST(x'7368617270006e756c' AS TEXT),NULL,NULL);
INSERT INTO article_body VALUES(4,'markdown',NULL,'{}','plus',NULL,NULL);
INSERT INTO article_body VALUES(5,'markdown',NULL,'{}',replace('Grey.\n','\n',char(10)),NULL,NULL);
INSERT INTO article_body VALUES(7,'markdown',NULL,'{}',replace('With a checksum.\n','\n',char(10)),NULL,3080542131790719480);
CREATE TABLE session_place (
    session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    place TEXT NOT NULL CHECK (length(place) <= 65536)
) STRICT, WITHOUT ROWID;
CREATE TABLE user_appearance (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    appearance TEXT NOT NULL
) STRICT;
INSERT INTO user_appearance VALUES(1,'dark');
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    -- 128 random bits, in hexadecimal: what it is known by in every library.
    uid TEXT NOT NULL UNIQUE CHECK (length(uid) = 32),
    name TEXT NOT NULL CHECK (name <> ''),
    -- The name folded, as it is found by and unique.
    name_key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('folder', 'files', 'file', 'feed', 'stream', 'earlier')),
    -- The path or address that it was imported from.
    location TEXT,
    -- What relative links in its articles are relative to.
    home TEXT,
    -- The address of the feed that it is, which is not where a feed that was saved as a file lies.
    feed_url TEXT,
    imported_at INTEGER,
    problem_count INTEGER NOT NULL,
    -- The first problems of the last import, as a JSON array of strings.
    problems TEXT NOT NULL
) STRICT;
INSERT INTO source VALUES(1,'91dfb4ff3c1106968b7e82f8add05618','earlier','earlier','earlier',NULL,NULL,NULL,NULL,0,'[]');
INSERT INTO source VALUES(2,'2368d28855d0abcac27195ee126107a0','notes','notes','folder','/srv/notes',NULL,NULL,1795360577,0,'[]');
INSERT INTO source VALUES(3,'c645a75d71b43c2405cf3a9d9330c015','kept','kept','file','/home/ada/kept.md',NULL,NULL,1795380961,0,'[]');
CREATE TABLE deleted_article (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    -- A hash of the record that it was made of, by which a file is known that was renamed; NULL where that is not known.
    content_hash INTEGER,
    PRIMARY KEY (source_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO deleted_article VALUES(2,'kingfisher.md',6106242622535431846);
CREATE TABLE IF NOT EXISTS "article" (
    -- A number means one article for ever, also when that is gone.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    -- What the article is known by in its source.
    key TEXT NOT NULL,
    -- A hash of the record that it was made from; NULL where that is not known.
    content_hash INTEGER,
    -- Whether it was changed here since.
    is_edited INTEGER NOT NULL,
    slug TEXT NOT NULL UNIQUE CHECK (slug <> ''),
    title TEXT NOT NULL,
    -- What lists by title are ordered by: the title folded and cut (ArticleQuery.titleKey).
    title_key TEXT NOT NULL,
    -- Authors and tags in their order, as JSON arrays of strings; article_label finds by them.
    authors TEXT NOT NULL,
    tags TEXT NOT NULL,
    summary TEXT NOT NULL,
    language TEXT,
    published_at INTEGER NOT NULL,
    -- By how many minutes the clock of who published it was ahead of UTC.
    published_offset INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    reading_minutes INTEGER NOT NULL,
    -- The id again: SQLite does not seek an index by a row value that the rowid is part of, and a page must start in
    -- the middle of articles of one date as quickly as elsewhere.
    number INTEGER GENERATED ALWAYS AS (id) VIRTUAL,
    UNIQUE (source_id, key)
) STRICT;
INSERT INTO article VALUES(1,1,'welcome',NULL,0,'welcome','Welcome — “quoted”','welcome — “quoted”','["Ada Lindqvist","Grace","Naïve, Ünïcode"]','["Swift","news"]','First paragraph with emphasis and 🏳️‍🌈.','pt-BR',1449100800,0,1449100800,1);
INSERT INTO article VALUES(2,1,'page',NULL,0,'page','A page','a page','[]','["résumé","resume"]','A page',NULL,1795332211,0,1795332211,1);
INSERT INTO article VALUES(3,1,'c',NULL,0,'c','C#','c#','[]','["news"]','sharp nul',NULL,1449144061,0,1449144061,1);
INSERT INTO article VALUES(4,1,'cpp',NULL,0,'cpp','C++','c++','[]','[]','plus',NULL,1795332211,0,1795332211,1);
INSERT INTO article VALUES(5,2,'heron.md',3039722635420373230,0,'heron','A heron','a heron','[]','["Resume"]','Grey.',NULL,1767312000,0,1767312000,1);
INSERT INTO article VALUES(7,3,'kept.md',2033960607862960828,0,'kept','Kept whole','kept whole','[]','[]','With a checksum.',NULL,1767398400,0,1767398400,1);
CREATE TABLE label (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('author', 'tag')),
    key TEXT NOT NULL, articles INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, key)
) STRICT;
INSERT INTO label VALUES(1,'author','ada lindqvist',1);
INSERT INTO label VALUES(2,'author','grace',1);
INSERT INTO label VALUES(3,'author','naive, unicode',1);
INSERT INTO label VALUES(4,'tag','news',2);
INSERT INTO label VALUES(5,'tag','swift',1);
INSERT INTO label VALUES(900,'tag','resume',2);
CREATE TABLE article_label (
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    label_id INTEGER NOT NULL,
    PRIMARY KEY (article_id, label_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_label VALUES(1,1);
INSERT INTO article_label VALUES(1,2);
INSERT INTO article_label VALUES(1,3);
INSERT INTO article_label VALUES(1,4);
INSERT INTO article_label VALUES(1,5);
INSERT INTO article_label VALUES(2,900);
INSERT INTO article_label VALUES(3,4);
INSERT INTO article_label VALUES(5,900);
CREATE TABLE label_by_date (
    label_id INTEGER NOT NULL REFERENCES label (id),
    published_at INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, published_at, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO label_by_date VALUES(1,1449100800,1);
INSERT INTO label_by_date VALUES(2,1449100800,1);
INSERT INTO label_by_date VALUES(3,1449100800,1);
INSERT INTO label_by_date VALUES(4,1449100800,1);
INSERT INTO label_by_date VALUES(4,1449144061,3);
INSERT INTO label_by_date VALUES(5,1449100800,1);
INSERT INTO label_by_date VALUES(900,1767312000,5);
INSERT INTO label_by_date VALUES(900,1795332211,2);
CREATE TABLE label_by_title (
    label_id INTEGER NOT NULL,
    title_key TEXT NOT NULL,
    article_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, title_key, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO label_by_title VALUES(1,'welcome — “quoted”',1);
INSERT INTO label_by_title VALUES(2,'welcome — “quoted”',1);
INSERT INTO label_by_title VALUES(3,'welcome — “quoted”',1);
INSERT INTO label_by_title VALUES(4,'c#',3);
INSERT INTO label_by_title VALUES(4,'welcome — “quoted”',1);
INSERT INTO label_by_title VALUES(5,'welcome — “quoted”',1);
INSERT INTO label_by_title VALUES(900,'a heron',5);
INSERT INTO label_by_title VALUES(900,'a page',2);
CREATE TABLE attempt_counter (
    -- SHA-256 of what the attempts have in common, such as a name and an origin: people type passwords into the name field.
    key BLOB PRIMARY KEY CHECK (length(key) = 32),
    failures INTEGER NOT NULL,
    last_failure_at INTEGER NOT NULL,
    -- From when on the counter means nothing any more.
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO attempt_counter VALUES(X'08238064c48064daecf147d558dcd4e1939790c31ba446493c3360ad75cfe1a8',1,1795371505,1795457905);
INSERT INTO attempt_counter VALUES(X'757fd7b7c6ef69f77649216685abe328ca2b46706e77e3afb51d7742c3ace62a',1,1795371505,1795457905);
INSERT INTO attempt_counter VALUES(X'90db25b43e390fd5d47a45aaea6087b143b43435dc932a80f083131202a3ada6',1,1795371505,1826907505);
CREATE TABLE device (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    -- SHA-256 of the secret that the device keeps.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, secret_hash)
) STRICT, WITHOUT ROWID;
INSERT INTO device VALUES(1,X'4827ad81344df783a29edb3eb75b4295685ff7fede944b7bb894437ce81411f1',1795380942,1795380942);
INSERT INTO device VALUES(1,X'560b04ae0351ef66b230c3bd8c8e95b52cfbe9ea8c4074bed92493fbb4e17507',1795445931,1795445931);
INSERT INTO device VALUES(1,X'b412e6ac361de6b68a1b5689b38d46f248a391aefbfe77a61b90a037fb0c6447',1795371505,1795371505);
INSERT INTO device VALUES(1,X'f61b0caf0544db9fc70aad766dea69e78a043e7912caea46ea913b7feaa11705',1795375126,1795375126);
CREATE TABLE deleted_user (
    id INTEGER PRIMARY KEY,
    deleted_at INTEGER NOT NULL
) STRICT;
CREATE TABLE one_time_code (
    -- SHA-256 of the code; the code itself is never stored.
    code_hash BLOB PRIMARY KEY CHECK (length(code_hash) = 32),
    -- Who may choose another password with it: one code each. NULL where it invites somebody to make an account.
    user_id INTEGER UNIQUE REFERENCES user (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO one_time_code VALUES(X'99c1f2e495e97f028ff6883a570ed62735d0e18ff70059b472e6d3f3ada5f59d',NULL,1795979947);
INSERT INTO one_time_code VALUES(X'c757c5cd2fff1ddb2af3f8fca0f4807695d88505d528a1eab5904661bbb8c9dd',2,1795378747);
CREATE TABLE api_token (
    id TEXT PRIMARY KEY,
    -- SHA-256 of the secret half of the token; the secret itself is never stored.
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- NULL until it is used.
    last_used_at INTEGER,
    UNIQUE (user_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO api_token VALUES('bb5cb87ee11298ae',X'36ea0d2e2ffa7c4a58a43ee41254bd4d7c21269f7a0e9f06c1c1d241be9acc4a',1,'backup','read',1795375147,1826911147,NULL);
CREATE TABLE audit_chain (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The last row before it, from before there were hashes or pruned since, and what the first row counts on from.
    anchor_id INTEGER NOT NULL,
    anchor_hash BLOB NOT NULL CHECK (length(anchor_hash) = 32),
    -- The last row.
    head_id INTEGER NOT NULL,
    head_hash BLOB NOT NULL CHECK (length(head_hash) = 32)
) STRICT;
INSERT INTO audit_chain VALUES(1,6,X'0000000000000000000000000000000000000000000000000000000000000000',15,X'9295af3fbbcbde4c423ba9299deb1a670a1f61cbee2975553e9a6c546ce01766');
CREATE TABLE registration (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    policy TEXT NOT NULL CHECK (policy IN ('open', 'invitation', 'closed'))
) STRICT;
INSERT INTO registration VALUES(1,'open');
CREATE TABLE second_factor (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- What codes are made of (RFC 6238). It is stored as it is: a hash of it could check no code.
    secret BLOB NOT NULL CHECK (length(secret) = 20),
    -- The time step of the last code that was taken; only later ones are.
    last_step INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE recovery_code (
    user_id INTEGER NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
    -- SHA-256 of the code; the code itself is never stored.
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','article_text','article_text',0,'CREATE VIRTUAL TABLE article_text USING fts5 (title, authors, tags, summary, body, content='''', tokenize=''words'')');
CREATE TABLE IF NOT EXISTS 'article_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO article_text_data VALUES(1,X'060a080c1016');
INSERT INTO article_text_data VALUES(10,X'000000010101010001010101');
INSERT INTO article_text_data VALUES(137438953473,X'000002180f3002616461206c696e6471766973740106010104020567726163650106010106020e6e616976652c20756e69636f646501060101090303657773010601020502060102030206726573756d65020801020304030601020302057377696674010601020301016102100201030201040206030202020c01030301040302026461010601010202026e64010c01030601040601016303020201020202012303020202022b2b04020202076865636b73756d070c0103040104040108656d706861736973010c01030501040501056669727374010c01030201040201056772616365010601010503026579050c01030201040201056865726f6e05020301046b65707407020201096c696e647176697374010601010301056e6169766501060101070203657773010601020402060102020202756c030c01030301040301026f66020601040501047061676502100301030301040306030772616772617068010e0103030104030902036c7573040c010302010402010671756f7465640102030106726573756d65020801020204030601020201067365636f6e640106010409020468617270030c010302010402020477696674010601020201047465787402060104040107756e69636f64650106010108010777656c636f6d650102020204686f6c650702030203697468010c010304010404060c0103020104020104f09f8c88010c01030801040803028fb3010c01030701040704150c150f130c18090c09060711120f0c0c0a09100c0f0c0910120d0b130d0e0b0b0e0c09150e');
CREATE TABLE IF NOT EXISTS 'article_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO article_text_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'article_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO article_text_docsize VALUES(1,X'0208040709');
INSERT INTO article_text_docsize VALUES(2,X'0200040206');
INSERT INTO article_text_docsize VALUES(3,X'0100020202');
INSERT INTO article_text_docsize VALUES(4,X'0100000101');
INSERT INTO article_text_docsize VALUES(5,X'0200020101');
INSERT INTO article_text_docsize VALUES(7,X'0200000303');
CREATE TABLE IF NOT EXISTS 'article_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO article_text_config VALUES('hashsize',33554432);
INSERT INTO article_text_config VALUES('version',4);
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','article_name','article_name',0,'CREATE VIRTUAL TABLE article_name USING fts5 (title, authors, tags, content='''', tokenize=''words'', prefix=''1 2 3'')');
CREATE TABLE IF NOT EXISTS 'article_name_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO article_name_data VALUES(1,X'060a080c');
INSERT INTO article_name_data VALUES(10,X'000000010101010001010101');
INSERT INTO article_name_data VALUES(137438953473,X'0000035a0f3002616461206c696e6471766973740106010104020567726163650106010106020e6e616976652c20756e69636f646501060101090303657773010601020502060102030206726573756d65020801020304030601020302057377696674010601020301016102020203020202026461010601010201016303020201020202012303020202022b2b04020201056772616365010601010501056865726f6e05020301046b65707407020201096c696e647176697374010601010301056e616976650106010107020365777301060102040206010202010470616765020203010671756f7465640102030106726573756d6502080102020403060102020105737769667401060102020107756e69636f64650106010108010777656c636f6d650102020204686f6c650702030002310201120101040405010203040108010203040106010203020601020301016101060101020102020302020101630304020201040202010167010601010501016805020301016b07020201016c010601010301016e010c010107010204020601020201017002020301017101020301017202080102020403060102020101730106010202010175010601010801017701020206020300033202610106010104020167010601010602016e010c0101090102050206010203020172020801020304030601020302017301060102030102616401060101020102632303020202012b0402020102677201060101050102686505020301026b6507020201026c69010601010301026e6101060101070201650106010204020601020201027061020203010271750102030102726502080102020403060102020102737701060102020102756e010601010801027765010202020168070203000433026164010601010402026772010601010602026e61010601010903016501060102050206010203020272650208010203040306010203020273770106010203010361646101060101020103632b2b04020201036772610106010105010368657205020301036b657007020201036c696e010601010301036e6169010601010702026577010601020402060102020103706167020203010371756f01020301037265730208010202040306010202010373776901060102020103756e690106010108010377656c0102020202686f07020304150c150f130c09090906070c0a09100c0f090b130c0e0c091f0e0b080606081006060e0808090a08100e0809070609070709090d07070f090907060b09090d0f090a080a08080a0a0e0808100a0a08');
CREATE TABLE IF NOT EXISTS 'article_name_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO article_name_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'article_name_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO article_name_docsize VALUES(1,X'020804');
INSERT INTO article_name_docsize VALUES(2,X'020004');
INSERT INTO article_name_docsize VALUES(3,X'010002');
INSERT INTO article_name_docsize VALUES(4,X'010000');
INSERT INTO article_name_docsize VALUES(5,X'020002');
INSERT INTO article_name_docsize VALUES(7,X'020000');
CREATE TABLE IF NOT EXISTS 'article_name_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO article_name_config VALUES('hashsize',8388608);
INSERT INTO article_name_config VALUES('version',4);
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','article_word','article_word',0,'CREATE VIRTUAL TABLE article_word USING fts5vocab (article_name, row)');
CREATE TABLE search_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- By which rules texts became words (csearch_version). By others the index is made anew; none are numbered 0.
    version INTEGER NOT NULL,
    -- Articles up to this number are in the index: as they are, or, if search_queue has them, as they were. Numbers rise,
    -- so that what an import adds waits behind it without being noted.
    indexed_to INTEGER NOT NULL
) STRICT;
INSERT INTO search_state VALUES(1,2,7);
CREATE TABLE search_queue (
    article_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    authors TEXT NOT NULL,
    tags TEXT NOT NULL,
    summary TEXT NOT NULL,
    format TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE article_mark (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- NULL where nobody said: all_read says it then.
    is_read INTEGER CHECK (is_read IN (0, 1)),
    read_at INTEGER,
    is_starred INTEGER CHECK (is_starred IN (0, 1)),
    starred_at INTEGER,
    is_later INTEGER CHECK (is_later IN (0, 1)),
    later_at INTEGER,
    -- How far the reader has come, in thousandths of the text.
    place INTEGER CHECK (place BETWEEN 0 AND 1000),
    placed_at INTEGER,
    PRIMARY KEY (user_id, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_mark VALUES(1,1,NULL,NULL,1,1795445931,NULL,NULL,NULL,NULL);
INSERT INTO article_mark VALUES(1,2,NULL,NULL,NULL,NULL,1,1795445949,NULL,NULL);
INSERT INTO article_mark VALUES(1,3,1,1795445931,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE all_read (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- 0 where everything was made unread.
    up_to INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;
CREATE TABLE own_tag (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    -- The name folded.
    key TEXT NOT NULL,
    UNIQUE (user_id, key)
) STRICT;
INSERT INTO own_tag VALUES(1,1,'weekend','weekend');
INSERT INTO own_tag VALUES(2,1,'gone','gone');
CREATE TABLE article_own_tag (
    tag_id INTEGER NOT NULL REFERENCES own_tag (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_set INTEGER NOT NULL CHECK (is_set IN (0, 1)),
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (tag_id, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_own_tag VALUES(1,1,1,1795445949);
INSERT INTO article_own_tag VALUES(1,5,1,1795445949);
INSERT INTO article_own_tag VALUES(2,5,0,1795445949);
CREATE TABLE article_note (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    -- NULL where it was taken away.
    note TEXT CHECK (length(note) <= 65536),
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, article_id)
) STRICT, WITHOUT ROWID;
INSERT INTO article_note VALUES(1,5,'A note.',1795445949);
CREATE TABLE source_size (
    source_id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL
) STRICT;
INSERT INTO source_size VALUES(1,4);
INSERT INTO source_size VALUES(2,1);
INSERT INTO source_size VALUES(3,1);
CREATE TABLE source_read (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL,
    PRIMARY KEY (user_id, source_id)
) STRICT, WITHOUT ROWID;
INSERT INTO source_read VALUES(1,1,1);
CREATE TABLE label_read (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    label_id INTEGER NOT NULL REFERENCES label (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL,
    PRIMARY KEY (user_id, label_id)
) STRICT, WITHOUT ROWID;
INSERT INTO label_read VALUES(1,4,1);
CREATE TABLE arrival (
    first_id INTEGER PRIMARY KEY,
    -- In microseconds since 1970; it rises with the numbers.
    arrived_at INTEGER NOT NULL
) STRICT;
INSERT INTO arrival VALUES(1,1795449000000000);
CREATE TABLE library_copy (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uid TEXT NOT NULL CHECK (length(uid) = 16)
) STRICT;
INSERT INTO library_copy VALUES(1,'b944520dcc93e3c3');
CREATE TABLE article_change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    -- It may be gone.
    article_id INTEGER NOT NULL UNIQUE
) STRICT;
INSERT INTO article_change VALUES(1,6);
INSERT INTO article_change VALUES(2,4);
CREATE TABLE mark_change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    UNIQUE (user_id, article_id)
) STRICT;
INSERT INTO mark_change VALUES(1,1,1);
INSERT INTO mark_change VALUES(2,1,2);
INSERT INTO mark_change VALUES(3,1,3);
INSERT INTO mark_change VALUES(4,1,5);
CREATE TABLE creation (
    -- SHA-256 of who asked and of the key that they gave the request.
    request_hash BLOB PRIMARY KEY CHECK (length(request_hash) = 32),
    -- SHA-256 of what was to be made: another under the same key is a mistake.
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO creation VALUES(X'8788ff931448f45a43da047556863425568ab8014d3e8a219c09283498c57dfc',X'e247198dfb0a115c0515fe5ce47ee1ed5ddd63291c96408aa7e5c89e35649572',2,1795449000);
CREATE TABLE feed_address (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    -- SHA-256 of the secret; the secret itself is never stored.
    secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO feed_address VALUES(1,X'bc790212c9e87d7f7b076de1dfcc02b0fd836f35958c882e8895dbdd6b71950c',1795449000);
CREATE TABLE source_number (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL
) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('article',7);
INSERT INTO sqlite_sequence VALUES('mark_change',4);
INSERT INTO sqlite_sequence VALUES('article_change',2);
CREATE INDEX session_by_user ON session (user_id, created_at);
CREATE INDEX audit_by_user ON audit (user_id);
CREATE INDEX article_by_date ON article (published_at, number);
CREATE INDEX article_by_title ON article (title_key, number);
CREATE INDEX article_by_language_and_date ON article (language, published_at, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_language_and_title ON article (language, title_key, number) WHERE language IS NOT NULL;
CREATE INDEX article_by_source_and_date ON article (source_id, published_at, number);
CREATE INDEX article_by_source_and_title ON article (source_id, title_key, number);
CREATE TRIGGER article_label_removed AFTER DELETE ON article_label BEGIN
    DELETE FROM label_by_date WHERE label_id = old.label_id AND article_id = old.article_id
        AND published_at = (SELECT published_at FROM article WHERE id = old.article_id);
    DELETE FROM label_by_title WHERE label_id = old.label_id AND article_id = old.article_id
        AND title_key = (SELECT title_key FROM article WHERE id = old.article_id);
    DELETE FROM label WHERE id = old.label_id AND NOT EXISTS (SELECT 1 FROM label_by_date WHERE label_id = old.label_id);
END;
CREATE TRIGGER article_removed BEFORE DELETE ON article BEGIN
    DELETE FROM article_label WHERE article_id = old.id;
END;
CREATE INDEX attempt_counter_by_end ON attempt_counter (expires_at);
CREATE TRIGGER article_unfound BEFORE DELETE ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
BEGIN
    INSERT INTO search_queue SELECT old.id, old.title, old.authors, old.tags, old.summary, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;
CREATE TRIGGER article_reworded BEFORE UPDATE OF title, authors, tags, summary ON article
WHEN old.id <= (SELECT indexed_to FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.id)
    AND (old.title, old.authors, old.tags, old.summary) IS NOT (new.title, new.authors, new.tags, new.summary)
BEGIN
    INSERT INTO search_queue SELECT old.id, old.title, old.authors, old.tags, old.summary, ifnull(b.format, 'plain'), ifnull(b.body, '')
    FROM (SELECT 1) LEFT JOIN article_body AS b ON b.article_id = old.id;
END;
CREATE TRIGGER article_body_reworded BEFORE UPDATE OF format, body ON article_body
WHEN old.article_id <= (SELECT indexed_to FROM search_state)
    AND NOT EXISTS (SELECT 1 FROM search_queue WHERE article_id = old.article_id)
    AND (old.format, old.body) IS NOT (new.format, new.body)
BEGIN
    INSERT INTO search_queue SELECT a.id, a.title, a.authors, a.tags, a.summary, old.format, old.body
    FROM article AS a WHERE a.id = old.article_id;
END;
CREATE INDEX article_mark_by_article ON article_mark (article_id);
CREATE INDEX article_mark_unread ON article_mark (user_id, article_id, is_read) WHERE is_read = 0;
CREATE INDEX article_mark_starred ON article_mark (user_id, article_id, is_starred) WHERE is_starred = 1;
CREATE INDEX article_mark_later ON article_mark (user_id, article_id, is_later) WHERE is_later = 1;
CREATE INDEX all_read_by_end ON all_read (up_to);
CREATE INDEX article_own_tag_by_article ON article_own_tag (article_id);
CREATE INDEX article_note_by_article ON article_note (article_id);
CREATE INDEX source_read_by_source ON source_read (source_id);
CREATE INDEX label_read_by_label ON label_read (label_id);
CREATE VIEW article_reader AS
SELECT article_id, user_id FROM article_mark WHERE is_read = 1
UNION ALL
SELECT a.id, r.user_id FROM article AS a CROSS JOIN all_read AS r ON r.up_to >= a.id
WHERE NOT EXISTS (
    SELECT 1 FROM article_mark AS m WHERE m.user_id = r.user_id AND m.article_id = a.id AND m.is_read IS NOT NULL);
CREATE TRIGGER article_counted AFTER INSERT ON article BEGIN
    INSERT INTO source_size VALUES (new.source_id, 1) ON CONFLICT DO UPDATE SET articles = articles + 1;
END;
CREATE TRIGGER article_uncounted BEFORE DELETE ON article BEGIN
    UPDATE source_size SET articles = articles - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET articles = articles - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = old.id);
END;
CREATE TRIGGER article_moved AFTER UPDATE OF source_id ON article WHEN new.source_id <> old.source_id BEGIN
    UPDATE source_size SET articles = articles - 1 WHERE source_id = old.source_id;
    UPDATE source_read SET articles = articles - 1 WHERE source_id = old.source_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = new.id);
    INSERT INTO source_size VALUES (new.source_id, 1) ON CONFLICT DO UPDATE SET articles = articles + 1;
    INSERT INTO source_read SELECT user_id, new.source_id, 1 FROM article_reader WHERE article_id = new.id
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;
CREATE TRIGGER article_label_counted AFTER INSERT ON article_label BEGIN
    UPDATE label SET articles = articles + 1 WHERE id = new.label_id;
    INSERT INTO label_read SELECT user_id, new.label_id, 1 FROM article_reader WHERE article_id = new.article_id
        ON CONFLICT DO UPDATE SET articles = articles + 1;
END;
CREATE TRIGGER article_label_uncounted BEFORE DELETE ON article_label BEGIN
    UPDATE label SET articles = articles - 1 WHERE id = old.label_id;
    UPDATE label_read SET articles = articles - 1 WHERE label_id = old.label_id
        AND user_id IN (SELECT user_id FROM article_reader WHERE article_id = old.article_id);
END;
CREATE TRIGGER article_changed AFTER UPDATE OF source_id, key, slug, title, authors, tags, summary, language, published_at,
    published_offset, updated_at, reading_minutes ON article
BEGIN
    DELETE FROM article_change WHERE article_id = new.id;
    INSERT INTO article_change (article_id) VALUES (new.id);
END;
CREATE TRIGGER article_body_changed AFTER UPDATE OF format, source_url, base_url, extra, body ON article_body
WHEN new.article_id IS NOT (SELECT article_id FROM article_change ORDER BY sequence DESC LIMIT 1)
BEGIN
    DELETE FROM article_change WHERE article_id = new.article_id;
    INSERT INTO article_change (article_id) VALUES (new.article_id);
END;
CREATE TRIGGER article_gone AFTER DELETE ON article BEGIN
    DELETE FROM article_change WHERE article_id = old.id;
    INSERT INTO article_change (article_id) VALUES (old.id);
END;
CREATE TRIGGER source_renamed AFTER UPDATE OF name ON source WHEN new.name <> old.name BEGIN
    DELETE FROM article_change WHERE article_id IN (SELECT id FROM article WHERE source_id = new.id);
    INSERT INTO article_change (article_id) SELECT id FROM article WHERE source_id = new.id;
END;
CREATE INDEX mark_change_by_user ON mark_change (user_id, sequence);
CREATE INDEX mark_change_by_article ON mark_change (article_id);
CREATE TRIGGER article_mark_made AFTER INSERT ON article_mark BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;
CREATE TRIGGER article_mark_changed AFTER UPDATE ON article_mark BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;
CREATE TRIGGER article_note_made AFTER INSERT ON article_note BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;
CREATE TRIGGER article_note_changed AFTER UPDATE ON article_note BEGIN
    DELETE FROM mark_change WHERE user_id = new.user_id AND article_id = new.article_id;
    INSERT INTO mark_change (user_id, article_id) VALUES (new.user_id, new.article_id);
END;
CREATE TRIGGER article_own_tag_made AFTER INSERT ON article_own_tag BEGIN
    DELETE FROM mark_change WHERE article_id = new.article_id
        AND user_id = (SELECT user_id FROM own_tag WHERE id = new.tag_id);
    INSERT INTO mark_change (user_id, article_id) SELECT user_id, new.article_id FROM own_tag WHERE id = new.tag_id;
END;
CREATE TRIGGER article_own_tag_changed AFTER UPDATE ON article_own_tag BEGIN
    DELETE FROM mark_change WHERE article_id = new.article_id
        AND user_id = (SELECT user_id FROM own_tag WHERE id = new.tag_id);
    INSERT INTO mark_change (user_id, article_id) SELECT user_id, new.article_id FROM own_tag WHERE id = new.tag_id;
END;
CREATE INDEX creation_by_article ON creation (article_id);
CREATE INDEX creation_by_time ON creation (created_at);
CREATE TRIGGER source_gone AFTER DELETE ON source BEGIN
    INSERT INTO source_number VALUES (1, old.id) ON CONFLICT DO UPDATE SET last = max(last, excluded.last);
END;
PRAGMA writable_schema=OFF;
COMMIT;
