# A database for each service that needs one, owned by a user who has no other. Run once, when there are none yet.
for service in lobby scoring; do
  case $service in
    lobby) password=$HOWFF_LOBBY_DATABASE_PASSWORD ;;
    scoring) password=$HOWFF_SCORING_DATABASE_PASSWORD ;;
  esac
  psql -v ON_ERROR_STOP=1 -v name="$service" -v password="$password" --username="$POSTGRES_USER" --dbname=postgres <<'END'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
END
done
